import classes from './TagList.module.css';

interface TagListProps {
  tags: readonly string[];
  /** Makes each tag a button. */
  onChoose?: (tag: string) => void;
}

/** The tags of a key. Plain elements, because a page of keys may have a thousand. */
export function TagList({ tags, onChoose }: TagListProps) {
  if (tags.length === 0) return null;
  return (
    <ul className={classes.list} aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag}>
          {onChoose === undefined ? (
            <span className={classes.tag}>{tag}</span>
          ) : (
            <button
              type="button"
              className={classes.tag}
              aria-label={`Show keys tagged ${tag}`}
              title={tag}
              onClick={() => onChoose(tag)}
            >
              {tag}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
