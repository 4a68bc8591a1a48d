import { Autocomplete, Text } from '@mantine/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import { maxEmailLength } from '@rules/email-address.js';
import { useUrlText } from '../../../hooks/use-url-text.js';
import { checkEmail } from '../../../lib/text-rules.js';
import { clearButtonProps } from '../../../ui/clear-button-props.js';
import type { AuditLogSearch } from '../search.js';
import { type Actor, useActorName, useActors } from './use-actors.js';

interface ActorFieldProps extends Pick<AuditLogSearch, 'actorEmail' | 'actorId'> {
  onChange: (change: Pick<AuditLogSearch, 'actorEmail' | 'actorId'>) => void;
}

/**
 * Filters by actor: people and service accounts with events, including former ones, found by name or email, or any
 * complete email.
 */
export function ActorField({ actorEmail, actorId, onChange }: ActorFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [isRejected, setIsRejected] = useState(false);
  const selected = actorId ?? actorEmail ?? '';
  const selectedText = useActorName(actorId) ?? selected;
  const { text, setText, expectUrlText } = useUrlText(selectedText);
  const actors = useActors(text, isOpen);
  const textOf = (key: string) => {
    if (key === selected) return selectedText;
    return actors.find((actor) => actor.key === key && actor.isServiceAccount)?.name ?? key;
  };
  const typed = text.trim();
  const apply = (key: string) => {
    setText(textOf(key));
    if (key === selected) return;
    expectUrlText(textOf(key));
    const isAccount = actors.some((actor) => actor.key === key && actor.isServiceAccount);
    onChange({ actorId: isAccount ? key : undefined, actorEmail: isAccount || key === '' ? undefined : key });
  };
  /** The actor that the text stands for without choosing an option. */
  const readText = (): string | undefined => {
    if (typed === selectedText) return selected;
    return typed === '' || checkEmail(typed) === undefined ? typed : undefined;
  };
  const applyOnEnter = (event: KeyboardEvent) => {
    // If Enter selected an option, Mantine has already prevented the default.
    if (event.key !== 'Enter' || event.defaultPrevented) return;
    const key = readText() ?? actors[0]?.key;
    if (key === undefined) return setIsRejected(true);
    apply(key);
    setIsOpen(false);
  };
  return (
    <Autocomplete
      ref={field}
      label="Actor"
      placeholder="Anyone"
      autoComplete="off"
      maxLength={maxEmailLength}
      data={actors.map(({ key }) => ({ value: key, label: textOf(key) }))}
      filter={({ options }) => options}
      renderOption={({ option }) => <ActorOption actor={actors.find(({ key }) => key === option.value)} />}
      error={isRejected && actors.length === 0 && 'No match. Enter a full email.'}
      value={text}
      onChange={(next) => {
        setText(next);
        setIsRejected(false);
      }}
      openOnFocus={false}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setIsOpen(true)}
      onDropdownClose={() => setIsOpen(false)}
      onOptionSubmit={apply}
      onClear={() => {
        apply('');
        field.current?.focus();
      }}
      onBlur={() => apply(readText() ?? selected)}
      wrapperProps={{ onKeyDown: applyOnEnter }}
      clearable
      clearButtonProps={clearButtonProps('actor')}
    />
  );
}

function ActorOption({ actor }: { actor: Actor | undefined }) {
  if (actor === undefined) return null;
  const { key, isServiceAccount, name } = actor;
  return (
    <div>
      {name !== undefined && <Text size="sm">{name}</Text>}
      <Text size={name === undefined ? 'sm' : 'xs'} c={name === undefined ? undefined : 'dimmed'}>
        {isServiceAccount ? 'Service account' : key}
      </Text>
    </div>
  );
}
