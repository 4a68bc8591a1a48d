import { Tabs } from '@mantine/core';
import { useState } from 'react';
import { CodeSnippet } from './CodeSnippet.js';
import type { Snippet } from './snippet.js';

/** Code in several languages, one at a time. The selected one stays while the code changes. */
export function CodeTabs({ snippets }: { snippets: Snippet[] }) {
  const [chosen, choose] = useState<string | null>(null);
  const { language: shown } = snippets.find(({ language }) => language === chosen) ?? snippets[0] ?? {};
  return (
    <Tabs value={shown ?? null} onChange={choose}>
      <Tabs.List mb="sm" aria-label="Languages">
        {snippets.map(({ language }) => (
          <Tabs.Tab key={language} value={language}>
            {language}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map(({ language, code }) => (
        <Tabs.Panel key={language} value={language}>
          <CodeSnippet code={code} label={`${language} example`} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
