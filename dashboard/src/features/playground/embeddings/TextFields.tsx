import { ActionIcon, Button, Group, Stack, Text, Textarea, Tooltip } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus, IconX } from '@tabler/icons-react';
import { maxTextLength, maxTexts, minTexts } from './texts.js';

/** One field for each text to compare. */
export function TextFields({ form }: { form: UseFormReturnType<{ texts: string[] }> }) {
  const { texts } = form.values;
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
            {...form.getInputProps(`texts.${index}`)}
          />
          {texts.length > minTexts && (
            <Tooltip label={`Remove text ${index + 1}`}>
              <ActionIcon
                variant="subtle"
                color="gray"
                mt={4}
                aria-label={`Remove text ${index + 1}`}
                onClick={() => form.removeListItem('texts', index)}
              >
                <IconX size={16} />
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
      ))}
      {texts.length < maxTexts && (
        <Button
          variant="subtle"
          size="xs"
          ml={20}
          w="fit-content"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => form.insertListItem('texts', '')}
        >
          Add text
        </Button>
      )}
    </Stack>
  );
}
