import type { ReactNode } from 'react';
import type { ResultOf } from '../../../ui/documents.ts';
import type { PageName } from '../../address.ts';
import { addressOf, routeOf } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { useRefetchOnEvents } from '../../data/use-refetch-on-events.ts';
import { useViewer } from '../../data/viewer.ts';
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
import { isOpenTo } from '../../shell/sections.ts';
import { useWords } from '../../words/words.ts';

type Setup = ResultOf<typeof SetupDocument>['setup'];
type Step = Setup['steps'][number];

/** Pages on which the steps are completed. */
const pages = {
  payment_provider: 'paymentSettings',
  business_details: 'organization',
  taxes: 'taxes',
  branding: 'branding',
  emails: 'emailSettings',
  api_key: 'apiKeys',
  webhook: 'webhooks',
  first_payment: 'paymentLinks',
} as const satisfies Record<Step['key'], PageName>;

/** Link to the page of a step. Members see no link to pages that their role can't open. */
function StepLink({ step: { key } }: { readonly step: Step }): ReactNode {
  const { live: words } = useWords('welcome');
  const { membership } = useViewer();
  const page = pages[key];
  if (!isOpenTo(routeOf(page), membership.role, 'live')) return null;
  const href = page === 'paymentLinks' ? addressOf(page, null, { open: 'new' }) : addressOf(page);
  return <LinkButton href={href}>{words.actions[key]}</LinkButton>;
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
        action: <StepLink step={step} />,
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
