import { Box, Code } from '@mantine/core';
import { CopyIconButton } from './CopyButton.js';
import classes from './CodeSnippet.module.css';

interface CodeSnippetProps {
  code: string;
  /** What it is, for those who cannot see it, such as "curl command". */
  label: string;
}

/** Code to take away: scrolls sideways rather than wrapping, and copies at a click. */
export function CodeSnippet({ code, label }: CodeSnippetProps) {
  return (
    <Box className={classes.frame}>
      <Code block className={classes.code} tabIndex={0} role="region" aria-label={label}>
        {code}
      </Code>
      <Box className={classes.copy}>
        <CopyIconButton value={code} label={`Copy ${label}`} />
      </Box>
    </Box>
  );
}
