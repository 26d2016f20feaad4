import { useState } from 'react';
import { ApiError } from '../../data/api-error.ts';
import { useAction } from '../../data/hooks.ts';
import { base } from '../../data/place.ts';
import { useHasRole } from '../../data/viewer.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Code } from '../../kit/code.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import { type Progress, planToSell } from '../../parts/welcome/progress.ts';
import { Rejection } from '../../shell/rejection.tsx';
import { useWords } from '../../words/words.ts';
import { WelcomeKeyCreateDocument } from './page.graphql';
import { sellingSamples } from './samples.ts';
import { TestCustomer } from './test-customer.tsx';

/** Placeholder for the API key in the code samples, until a key exists. */
const noKey = 'ck_sandbox_…';

/**
 * Creates the first customer with a button, or shows code that does, with the reader's plan and API key. Continues automatically after the
 * customer was created.
 */
export function SellStep({ progress, onDone }: { readonly progress: Progress; readonly onDone: () => void }) {
  const words = useWords('welcome');
  const isAdmin = useHasRole('admin');
  const [key, setKey] = useState<string | null>(null);
  const [create, { isRunning, error }] = useAction(WelcomeKeyCreateDocument);
  const plan = planToSell(progress);
  if (plan === null) return <Text color="muted">{words.planFirst}</Text>;
  const make = async () => {
    const answer = await create({ input: { name: words.keyName } });
    if (!(answer instanceof ApiError)) setKey(answer.apiKeyCreate.apiKey);
  };
  const samples = sellingSamples({
    api: `${location.origin}${base}/api/v1`,
    key: key ?? noKey,
    planCode: plan.code,
    interval: plan.prices[0]?.billingInterval ?? null,
  });
  return (
    <Stack gap={3}>
      <TestCustomer plan={plan} onDone={onDone} />
      <Text as="p" color="muted">
        {words.sellText({ plan: plan.name })}
      </Text>
      {key === null && isAdmin && (
        <Row gap={3}>
          <Button isPending={isRunning} onPress={() => void make()}>
            {words.makeKey}
          </Button>
          <Text size="sm" color="muted">
            {words.makeKeyHelp}
          </Text>
        </Row>
      )}
      {key !== null && <Callout tone="warning">{words.keyOnce}</Callout>}
      <Rejection error={error} />
      <Code label={words.sellCode} samples={samples} />
      <div role="status">
        <Text color="muted">{words.waiting}</Text>
      </div>
    </Stack>
  );
}
