import { useEffect, useRef } from 'react';
import classes from './ResultList.module.css';
import type { Result, ResultGroup } from './results.js';

interface ResultListProps {
  /** Accessible through `aria-controls` of the search field. */
  id: string;
  groups: ResultGroup[];
  selected: Result | undefined;
  onRun: (result: Result) => void;
}

/** The id of the option of a result, for `aria-activedescendant`. */
export function optionId(listId: string, { key }: Result): string {
  return `${listId}-${encodeURIComponent(key)}`;
}

/** The results of a search as a listbox. The focus stays in the search field. */
export function ResultList({ id, groups, selected, onRun }: ResultListProps) {
  return (
    <div id={id} role="listbox" aria-label="Results" className={classes.list}>
      {groups.map(({ label, results }) => (
        <div key={label} role="group" aria-label={label} className={classes.group}>
          <div className={classes.heading} aria-hidden>
            {label}
          </div>
          {results.map((result) => (
            <Option
              key={result.key}
              id={optionId(id, result)}
              result={result}
              isSelected={result.key === selected?.key}
              onRun={onRun}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface OptionProps {
  id: string;
  result: Result;
  isSelected: boolean;
  onRun: (result: Result) => void;
}

function Option({ id, result, isSelected, onRun }: OptionProps) {
  const { label, description, icon: Icon } = result;
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isSelected) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);
  return (
    <div
      ref={element}
      id={id}
      role="option"
      aria-selected={isSelected}
      className={classes.option}
      // Keeps the focus in the search field.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onRun(result)}
    >
      <Icon size={18} className={classes.icon} aria-hidden />
      <span className={classes.text}>
        <span className={classes.label}>{label}</span>
        {description !== undefined && <span className={classes.description}>{description}</span>}
      </span>
    </div>
  );
}
