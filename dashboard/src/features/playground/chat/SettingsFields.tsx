import { NumberInput, type NumberInputProps, SimpleGrid, Textarea } from '@mantine/core';
import type { GenerationRoute } from '@rules/tasks.js';
import { defaultOutputLimit } from '../../../common/generation/generation-request.js';
import { formatCount } from '../../../lib/format-numbers.js';
import { type ChatSettings, maxMessageLength } from './settings.js';

interface SettingsFieldsProps {
  settings: ChatSettings;
  onChange: (settings: ChatSettings) => void;
  /** The route of the model; text completions have no system prompt. */
  route: GenerationRoute | undefined;
  /** The model's own maximum. */
  maxOutputTokens: number | null;
}

/** Shown while a parameter isn't set. */
const defaultText = 'Default';

/** The system prompt and the parameters of requests. */
export function SettingsFields({ settings, onChange, route, maxOutputTokens }: SettingsFieldsProps) {
  const change = (changed: Partial<ChatSettings>) => onChange({ ...settings, ...changed });
  const limit = route && (defaultOutputLimit(route) ?? maxOutputTokens ?? undefined);
  return (
    <>
      {route !== 'completions' && (
        <Textarea
          label="System prompt"
          placeholder="Optional"
          autosize
          minRows={2}
          maxRows={8}
          maxLength={maxMessageLength}
          value={settings.system}
          onChange={({ currentTarget }) => change({ system: currentTarget.value })}
        />
      )}
      <SimpleGrid cols={{ base: 3, lg: 1, xl: 3 }} spacing="sm" verticalSpacing="sm">
        <Parameter
          label="Temperature"
          max={2}
          step={0.1}
          value={settings.temperature}
          onSet={(temperature) => change({ temperature })}
        />
        <Parameter label="Top p" max={1} step={0.05} value={settings.topP} onSet={(topP) => change({ topP })} />
        <Parameter
          label="Max tokens"
          min={1}
          max={maxOutputTokens ?? undefined}
          allowDecimal={false}
          thousandSeparator=","
          placeholder={limit === undefined ? defaultText : formatCount(limit)}
          value={settings.maxOutputTokens}
          onSet={(tokens) => change({ maxOutputTokens: tokens })}
        />
      </SimpleGrid>
    </>
  );
}

interface ParameterProps extends Omit<NumberInputProps, 'value' | 'onChange'> {
  value: number | undefined;
  onSet: (value: number | undefined) => void;
}

/** A number that is left out of the request while the field is empty. */
function Parameter({ value, onSet, ...props }: ParameterProps) {
  return (
    <NumberInput
      min={0}
      allowNegative={false}
      placeholder={defaultText}
      maxLength={12}
      {...props}
      value={value ?? ''}
      onChange={(next) => onSet(typeof next === 'number' ? next : undefined)}
    />
  );
}
