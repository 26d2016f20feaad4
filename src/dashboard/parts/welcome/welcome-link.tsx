import { useEffect } from 'react';
import { addressOf } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { environment } from '../../data/place.ts';
import { useStore } from '../../data/store.ts';
import { LinkButton } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { createSetting } from '../../shell/display.ts';
import { useWords } from '../../words/words.ts';
import { WelcomeProgressDocument } from './progress.graphql';
import { doneSteps, steps } from './progress.ts';
import { SetupDocument } from './setup.graphql';

/** True if all steps were complete at the last visit. Stored, so that the link doesn't flash while the steps load. */
const isWelcomeDone = createSetting('welcome-done', false);

/** Link to the first steps in the sandbox, or to the checklist in the live environment, until they are complete. */
export function WelcomeLink() {
  return useStore(environment) === 'live' ? <LiveLink /> : <SandboxLink />;
}

/** True if all required steps were complete at the last visit. */
const isLiveReady = createSetting('live-ready', false);

function LiveLink() {
  const { live: words } = useWords('welcome');
  const { data } = useData(SetupDocument, {});
  const wasReady = useStore(isLiveReady);
  const isReady = data?.setup.isReady ?? wasReady;
  useEffect(() => isLiveReady.set(isReady), [isReady]);
  if (isReady) return null;
  const required = data?.setup.steps.filter((step) => step.required) ?? [];
  const done = required.filter(({ state }) => state === 'done').length;
  return (
    <Callout title={words.title} actions={<LinkButton href={addressOf('welcome')}>{words.open}</LinkButton>}>
      {data === null ? '\u00a0' : words.progress({ done, all: required.length })}
    </Callout>
  );
}

function SandboxLink() {
  const words = useWords('welcome');
  const { data } = useData(WelcomeProgressDocument, {});
  const wasDone = useStore(isWelcomeDone);
  const done = data === null ? null : doneSteps(data);
  const count = done === null ? null : steps.filter((step) => done[step]).length;
  const isDone = count === null ? wasDone : count === steps.length;
  useEffect(() => {
    if (count !== null) isWelcomeDone.set(isDone);
  }, [count, isDone]);
  if (isDone) return null;
  return (
    <Callout
      title={words.linkTitle}
      actions={<LinkButton href={addressOf('welcome')}>{words.goOn}</LinkButton>}
    >
      {count === null ? '\u00a0' : words.progress({ done: count, all: steps.length })}
    </Callout>
  );
}
