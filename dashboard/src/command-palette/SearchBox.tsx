import { CloseButton, Input } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import { maxEmailLength } from '@rules/email-address.js';
import { readRequestId } from '../lib/request-id.js';
import { usePermission } from '../session/me.js';
import type { CommandDialog } from './commands.js';
import classes from './CommandPalette.module.css';
import { optionId, ResultList } from './ResultList.js';
import type { Result } from './results.js';
import { useResults } from './use-results.js';
import { useSelection } from './use-selection.js';

interface SearchBoxProps {
  /** The text in the field. */
  query: string;
  onQuery: (query: string) => void;
  onClose: () => void;
  /** Called once the page has changed. */
  onNavigate: () => void;
  openDialog: (dialog: CommandDialog) => void;
}

/** A combobox: a field, and the results that the arrow keys and Enter choose from while it has the focus. */
export function SearchBox({ query, onQuery, onClose, onNavigate, openDialog }: SearchBoxProps) {
  const listId = useId();
  const { groups, isPending, hasFailed } = useResults(query, { onNavigate, openDialog });
  const { selected, chooseNext, choosePrevious, reset } = useSelection(groups.flatMap(({ results }) => results));
  const hasResults = groups.length > 0;
  const run = (result: Result) => {
    result.run();
    onClose();
  };
  // Enter was pressed before the results for this text arrived.
  const enteredQuery = useRef<string>(undefined);
  useEffect(() => {
    if (isPending || enteredQuery.current !== query) return;
    enteredQuery.current = undefined;
    if (selected !== undefined) run(selected);
  });
  const handleKey = (event: KeyboardEvent) => {
    enteredQuery.current = undefined;
    // Input methods use these keys to choose characters.
    if (event.nativeEvent.isComposing || !['ArrowDown', 'ArrowUp', 'Enter'].includes(event.key)) return;
    event.preventDefault();
    if (event.key === 'ArrowDown') chooseNext();
    else if (event.key === 'ArrowUp') choosePrevious();
    else if (selected !== undefined) run(selected);
    else if (isPending) enteredQuery.current = query;
  };
  return (
    <>
      <Input
        size="lg"
        classNames={{ input: classes.input }}
        placeholder="Pages, keys, tags, members"
        aria-label="Search pages, actions, keys, tags and members"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={hasResults}
        aria-controls={hasResults ? listId : undefined}
        aria-activedescendant={selected && optionId(listId, selected)}
        autoComplete="off"
        maxLength={maxEmailLength}
        value={query}
        onChange={({ currentTarget }) => {
          reset();
          onQuery(currentTarget.value);
        }}
        onKeyDown={handleKey}
        data-autofocus
        leftSection={<IconSearch size={18} aria-hidden />}
        rightSection={<CloseButton hiddenFrom="sm" aria-label="Close search" onClick={onClose} />}
      />
      {hasResults ? (
        <ResultList id={listId} groups={groups} selected={selected} onRun={run} />
      ) : (
        <div className={classes.empty}>
          {isPending ? 'Searching…' : <Nothing query={query} hasFailed={hasFailed} />}
        </div>
      )}
    </>
  );
}

/** Of a request ID, also says what is kept. */
function Nothing({ query, hasFailed }: { query: string; hasFailed: boolean }) {
  const mayGetUsage = usePermission('get-usage');
  if (hasFailed) return 'The search failed. Try again.';
  if (readRequestId(query) === undefined) return 'Nothing found';
  if (!mayGetUsage) return "Nothing found. Your role can't search for requests of keys.";
  return (
    <>
      No stored request has this ID.
      <br />
      Keycard keeps the latest 1,000 requests of each key for 30 days, only a sample of a busy key, and none of deleted
      keys.
    </>
  );
}
