import { Box, Code } from '@mantine/core';
import { CopyIconButton } from './CopyButton.js';
import classes from './CodeSnippet.module.css';

interface CodeSnippetProps {
  code: string;
  /** Accessible name, such as "curl command". */
  label: string;
  /** Reserves the height of this many lines. */
  minLines?: number;
}

/** A code block with a copy button. Long lines scroll instead of wrapping. */
export function CodeSnippet({ code, label, minLines = 1 }: CodeSnippetProps) {
  return (
    <Box className={classes.frame}>
      <Code
        block
        className={classes.code}
        mih={`calc(${minLines}lh + 2 * var(--mantine-spacing-xs))`}
        tabIndex={0}
        role="region"
        aria-label={label}
      >
        {code}
      </Code>
      <Box className={classes.copy}>
        <CopyIconButton value={code} label={`Copy ${label}`} />
      </Box>
    </Box>
  );
}
