import { ActionIcon, Button, Group, Stack, Text, Textarea, Tooltip } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { maxTextLength, maxTexts, minTexts } from './texts.js';

/** One field for each text to compare. */
export function TextFields({ form }: { form: UseFormReturnType<{ texts: string[] }> }) {
  const { texts } = form.values;
  const addButton = useRef<HTMLButtonElement>(null);
  const [added, setAdded] = useState<number>();
  const [removedCount, setRemovedCount] = useState(0);
  useEffect(() => {
    if (removedCount > 0) addButton.current?.focus();
  }, [removedCount]);
  const add = () => {
    form.insertListItem('texts', '');
    setAdded(texts.length);
  };
  const remove = (index: number) => {
    form.removeListItem('texts', index);
    setAdded(undefined);
    setRemovedCount(removedCount + 1);
  };
  return (
    <Stack gap="xs" role="group" aria-label="Texts">
      {texts.map((_, index) => (
        <Group key={index} gap="xs" wrap="nowrap" align="flex-start">
          <Text size="sm" c="dimmed" w={16} mt={8} ta="right" aria-hidden>
            {index + 1}
          </Text>
          <Textarea
            flex={1}
            autosize
            minRows={1}
            maxRows={6}
            maxLength={maxTextLength}
            aria-label={`Text ${index + 1}`}
            autoFocus={index === added}
            {...form.getInputProps(`texts.${index}`)}
          />
          {texts.length > minTexts && (
            <Tooltip label={`Remove text ${index + 1}`}>
              <ActionIcon
                variant="subtle"
                color="gray"
                mt={4}
                aria-label={`Remove text ${index + 1}`}
                onClick={() => remove(index)}
              >
                <IconX size={16} />
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
      ))}
      {texts.length < maxTexts && (
        <Button
          ref={addButton}
          variant="subtle"
          size="xs"
          ml={20}
          w="fit-content"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={add}
        >
          Add text
        </Button>
      )}
    </Stack>
  );
}
