import type { ReactNode } from 'react';
import type { ResultOf } from '../../../ui/documents.ts';
import { addressOf } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { useRefetchOnEvents } from '../../data/use-refetch-on-events.ts';
import { Badge } from '../../kit/badge.tsx';
import { LinkButton } from '../../kit/button.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { Page, Section } from '../../kit/page.tsx';
import { Loading } from '../../kit/states.tsx';
import { Checklist } from '../../kit/steps.tsx';
import { Text } from '../../kit/text.tsx';
import { DateText } from '../../kit/values.tsx';
import { SetupDocument } from '../../parts/welcome/setup.graphql';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';

type Setup = ResultOf<typeof SetupDocument>['setup'];
type Step = Setup['steps'][number];

/** Returns the page on which a step is completed. */
function hrefOf({ key }: Step): string {
  switch (key) {
    case 'payment_provider':
      return addressOf('paymentSettings');
    case 'business_details':
      return addressOf('organization');
    case 'taxes':
      return addressOf('taxes');
    case 'branding':
      return addressOf('branding');
    case 'emails':
      return addressOf('emailSettings');
    case 'api_key':
      return addressOf('apiKeys');
    case 'webhook':
      return addressOf('webhooks');
    case 'first_payment':
      return addressOf('paymentLinks', null, { open: 'new' });
  }
}

function StepTitle({ step }: { readonly step: Step }): ReactNode {
  const { live: words } = useWords('welcome');
  return (
    <Row gap={2}>
      {words.steps[step.key]}
      {step.state !== 'done' && step.required && <Badge tone="warning">{words.required}</Badge>}
      {step.state === 'in_progress' && <Badge tone="info">{words.inProgress}</Badge>}
    </Row>
  );
}

function Steps({ setup }: { readonly setup: Setup }) {
  const { live: words } = useWords('welcome');
  return (
    <Checklist
      items={setup.steps.map((step) => ({
        id: step.key,
        title: <StepTitle step={step} />,
        isDone: step.state === 'done',
        detail: step.state === 'done' ? undefined : words.texts[step.key],
        action: <LinkButton href={hrefOf(step)}>{words.actions[step.key]}</LinkButton>,
      }))}
    />
  );
}

function Tests({ setup }: { readonly setup: Setup }) {
  const { live: words } = useWords('welcome');
  return (
    <Section title={words.tested} description={words.testedText}>
      <Checklist
        items={setup.testedInSandbox.map(({ key, at }) => ({
          id: key,
          title: words.tests[key],
          isDone: at !== null,
          detail: at === null ? undefined : <DateText at={at} />,
        }))}
      />
    </Section>
  );
}

/** Checklist for accepting real payments. Each step is checked off automatically. */
export function GoLive() {
  const { live: words } = useWords('welcome');
  const { data, error, refetch } = useData(SetupDocument, {});
  useRefetchOnEvents({}, refetch);
  const setup = data?.setup;
  return (
    <Page title={words.title} subtitle={setup?.isReady === true ? words.ready : words.text}>
      {setup === undefined && error === null && <Loading lines={10} />}
      {setup === undefined && error !== null && <DataError error={error} onRetry={refetch} />}
      {setup !== undefined && (
        <Stack gap={6}>
          <Steps setup={setup} />
          <Tests setup={setup} />
          <Text color="muted">{words.keys}</Text>
        </Stack>
      )}
    </Page>
  );
}
