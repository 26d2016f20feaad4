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

/** True if all steps were complete at the last visit. Stored, so that the link doesn't flash while the steps load. */
const isWelcomeDone = createSetting('welcome-done', false);

/** Link to the onboarding steps until all are complete. Not shown in the live environment. */
export function WelcomeLink() {
  const words = useWords('welcome');
  const isLive = useStore(environment) === 'live';
  const { data } = useData(WelcomeProgressDocument, {}, { isPaused: isLive });
  const wasDone = useStore(isWelcomeDone);
  const done = data === null ? null : doneSteps(data);
  const count = done === null ? null : steps.filter((step) => done[step]).length;
  const isDone = count === null ? wasDone : count === steps.length;
  useEffect(() => {
    if (count !== null) isWelcomeDone.set(isDone);
  }, [count, isDone]);
  if (isLive || isDone) return null;
  return (
    <Callout
      title={words.linkTitle}
      actions={<LinkButton href={addressOf('welcome')}>{words.goOn}</LinkButton>}
    >
      {count === null ? '\u00a0' : words.progress({ done: count, all: steps.length })}
    </Callout>
  );
}
