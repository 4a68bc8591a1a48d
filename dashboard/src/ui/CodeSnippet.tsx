import { Box, Code } from '@mantine/core';
import { CopyIconButton } from './CopyButton.js';
import classes from './CodeSnippet.module.css';

interface CodeSnippetProps {
  code: string;
  /** Accessible name, such as "curl command". */
  label: string;
}

/** A code block with a copy button. Long lines scroll instead of wrapping. */
export function CodeSnippet({ code, label }: CodeSnippetProps) {
  return (
    <Box className={classes.frame}>
      <Code block className={classes.code} tabIndex={0} role="group" aria-label={label}>
        {code}
      </Code>
      <Box className={classes.copy}>
        <CopyIconButton value={code} label={`Copy ${label}`} />
      </Box>
    </Box>
  );
}
