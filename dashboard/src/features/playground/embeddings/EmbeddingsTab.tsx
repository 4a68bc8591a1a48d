import { Alert, Button, Center, Grid, Paper, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { createKeptState } from '../../../hooks/kept-state.js';
import { useFormSubmission } from '../../../hooks/use-form-submission.js';
import { formatDuration, pluralize } from '../../../lib/format-numbers.js';
import type { NamedModel } from '../../../common/models/models.js';
import { embeddingsCommand } from '../curl.js';
import { CurlCommand } from '../CurlCommand.js';
import type { WithKey } from '../key/use-playground-key.js';
import { ModelSelect } from '../ModelSelect.js';
import { RequestError } from '../RequestError.js';
import { useModelChoice } from '../use-model-choice.js';
import { compareTexts, type Comparison } from './compare-texts.js';
import { HeatMap } from './HeatMap.js';
import { TextFields } from './TextFields.js';
import { describeLanguages, exampleTexts, findTextProblems, isLong, passageWords } from './texts.js';

interface EmbeddingsTabProps {
  /** `undefined` until a key is selected. */
  models: NamedModel[] | undefined;
  withKey: WithKey;
}

const useKeptModel = createKeptState<string | undefined>(undefined);
const useKeptTexts = createKeptState(exampleTexts);
const useKeptComparison = createKeptState<Comparison | undefined>(undefined);

/** Compares texts by the similarity of their embeddings. */
export function EmbeddingsTab({ models, withKey }: EmbeddingsTabProps) {
  const ids = models?.map(({ id }) => id);
  const languages = (id: string | undefined) => models?.find((model) => model.id === id)?.languages;
  const { model, choose: chooseModel } = useModelChoice(ids, useKeptModel());
  const [comparison, keptComparison] = useKeptComparison();
  const [initialTexts, keptTexts] = useKeptTexts();
  const { result, scrollToResult } = useScrollToResult();
  const form = useForm({
    initialValues: { texts: initialTexts },
    onValuesChange: ({ texts }) => keptTexts.set(texts),
    validate: findTextProblems,
    validateInputOnChange: true,
  });
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: ({ texts }) =>
      withKey((key) => compareTexts({ key, model: model ?? '', texts })).catch((error: unknown) => {
        // Next to an error, the previous result would look like the current one.
        keptComparison.set(undefined);
        throw error;
      }),
    onDone: (next) => {
      keptComparison.set(next);
      scrollToResult();
    },
  });
  if (models?.length === 0) return <Alert color="gray">No embeddings model is available.</Alert>;
  return (
    <Stack gap="xl">
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <form onSubmit={submit}>
            <Stack>
              <ModelSelect
                models={ids ?? []}
                value={model}
                onChange={chooseModel}
                description={describeLanguages(languages(model))}
              />
              <TextFields form={form} />
              {form.values.texts.some(isLong) && (
                <Text size="sm" c="dimmed">
                  One vector can&apos;t hold all of a long text. Split documents into passages of 50 to {passageWords}{' '}
                  words, and embed each of them.
                </Text>
              )}
              {formError !== null && <RequestError error={formError} />}
              <Button type="submit" loading={isPending} disabled={model === undefined}>
                Compare
              </Button>
            </Stack>
          </form>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Paper withBorder p="md" h="100%" ref={result}>
            {comparison === undefined ? (
              <NoComparison />
            ) : (
              <ComparisonResult
                comparison={comparison}
                isOutdated={!isEqualTexts(comparison.texts, form.values.texts)}
              />
            )}
          </Paper>
        </Grid.Col>
      </Grid>
      {model !== undefined && (
        <CurlCommand command={embeddingsCommand({ origin: window.location.origin, model, texts: form.values.texts })} />
      )}
    </Stack>
  );
}

/** Returns the `ref` of the result, and a function that scrolls to it once it's shown: on phones, it's below the window. */
function useScrollToResult() {
  const result = useRef<HTMLDivElement>(null);
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (count > 0) result.current?.scrollIntoView({ block: 'nearest' });
  }, [count]);
  return { result, scrollToResult: () => setCount((previous) => previous + 1) };
}

const isEqualTexts = (some: string[], others: string[]) =>
  some.length === others.length && some.every((text, index) => text === others[index]);

function NoComparison() {
  return (
    <Center h="100%" mih={160}>
      <Text c="dimmed" ta="center" maw={320} style={{ textWrap: 'balance' }}>
        A model turns each text into a vector. Compare your texts to see how similar they are.
      </Text>
    </Center>
  );
}

/** The heat map and figures of the request. */
function ComparisonResult({ comparison, isOutdated }: { comparison: Comparison; isOutdated: boolean }) {
  const { texts, similarities, dimensions, tokens, milliseconds, hasUnknownText } = comparison;
  const figures = [pluralize(dimensions, 'dimension'), pluralize(tokens, 'token'), formatDuration(milliseconds)];
  return (
    <Stack gap="sm">
      {isOutdated && (
        <Text size="sm" fw={500} role="status">
          The texts have changed. Compare them again to update the result.
        </Text>
      )}
      {hasUnknownText && (
        <Alert variant="light" color="orange" icon={<IconAlertTriangle />} role="status">
          The model doesn&apos;t know the language or the words of some texts. Their similarity means nothing.
        </Alert>
      )}
      <HeatMap texts={texts} similarities={similarities} />
      <Text size="sm" c="dimmed">
        1 = same meaning, 0 = unrelated
      </Text>
      <Text size="sm" c="dimmed" role="status">
        {figures.join(' · ')}
      </Text>
    </Stack>
  );
}
