import { Link } from '@tanstack/react-router';
import classes from './TagList.module.css';

interface TagListProps {
  tags: readonly string[];
  /** Whether each tag leads to the list of keys with it. In the list itself, links would make rows higher. */
  areLinks?: boolean;
}

/** The tags of a key. Plain elements, because a page of keys may have a thousand. */
export function TagList({ tags, areLinks = false }: TagListProps) {
  if (tags.length === 0) return null;
  return (
    <ul className={classes.list} aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag}>
          {areLinks ? (
            <Link to="/dashboard/keys" search={{ tag }} className={classes.link} title="Show the keys with this tag">
              {tag}
            </Link>
          ) : (
            <span className={classes.tag} title={tag}>
              {tag}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
