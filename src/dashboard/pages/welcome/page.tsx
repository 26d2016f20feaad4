import type { ReactNode } from 'react';
import { addressOf } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { environment } from '../../data/place.ts';
import { useStore } from '../../data/store.ts';
import { useRefetchOnEvents } from '../../data/use-refetch-on-events.ts';
import { LinkButton } from '../../kit/button.tsx';
import { Columns, Stack } from '../../kit/layout.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { Page } from '../../kit/page.tsx';
import { Loading } from '../../kit/states.tsx';
import { Checklist } from '../../kit/steps.tsx';
import { Text } from '../../kit/text.tsx';
import { FirstPlan } from '../../parts/catalog/first-plan/first-plan.tsx';
import { Example } from '../../parts/sandbox/sandbox-card.tsx';
import { WelcomeProgressDocument } from '../../parts/welcome/progress.graphql';
import { doneSteps, type Progress, type Step, steps } from '../../parts/welcome/progress.ts';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { OrganizationStep } from './organization-step.tsx';
import { PayStep } from './pay-step.tsx';
import { SellStep } from './sell-step.tsx';

const GoLive = lazyPart(() => import('./go-live.tsx').then((module) => module.GoLive));

type StepProps = { readonly step: Step; readonly progress: Progress; readonly onDone: () => void };

function StepContent({ step, progress, onDone }: StepProps): ReactNode {
  const words = useWords('welcome');
  if (step === 'organization') return <OrganizationStep organization={progress.organization} />;
  if (step === 'sell') return <SellStep progress={progress} onDone={onDone} />;
  if (step === 'pay') return <PayStep progress={progress} />;
  if (step === 'plan')
    return (
      <Stack gap={5}>
        <FirstPlan onDone={onDone} />
        <Text color="muted">{words.orExample}</Text>
        <Columns>
          <Example isBusy={false} onDone={onDone} />
        </Columns>
      </Stack>
    );
  return (
    <Stack gap={3}>
      <Text as="p" color="muted">
        {words.yearText}
      </Text>
      <div>
        <LinkButton kind="primary" href={addressOf('timeMachine')}>
          {words.openTimeMachine}
        </LinkButton>
      </div>
    </Stack>
  );
}

/** First steps in the sandbox, and the checklist for accepting real payments in the live environment. */
export default function WelcomePage() {
  return useStore(environment) === 'live' ? <GoLive /> : <FirstSteps />;
}

/** Five onboarding steps from an empty sandbox to a simulated year of billing. Steps are checked off automatically and can be done in any order. */
function FirstSteps() {
  const title = useWords('titles').welcome;
  const words = useWords('welcome');
  const { data, error, refetch } = useData(WelcomeProgressDocument, {});
  useRefetchOnEvents({ kinds: ['customer_created', 'subscription_', 'plan_'] }, refetch);
  const done = data === null ? null : doneSteps(data);
  const isAllDone = done !== null && steps.every((step) => done[step]);
  return (
    <Page title={title} subtitle={isAllDone ? words.allDone : words.text}>
      {data === null && error === null && <Loading lines={10} />}
      {data === null && error !== null && <DataError error={error} onRetry={refetch} />}
      {data !== null && done !== null && (
        <Checklist
          items={steps.map((step) => ({
            id: step,
            title: words.steps[step],
            isDone: done[step],
            detail: done[step] ? (
              words.doneTexts[step]
            ) : (
              <StepContent step={step} progress={data} onDone={refetch} />
            ),
          }))}
        />
      )}
      {isAllDone && (
        <LinkButton kind="primary" href={addressOf('home')}>
          {words.toHome}
        </LinkButton>
      )}
    </Page>
  );
}
