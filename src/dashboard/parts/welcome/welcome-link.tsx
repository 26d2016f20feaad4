import { useEffect } from 'react';
import { addressOf } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { environment } from '../../data/place.ts';
import { useStore } from '../../data/store.ts';
import { LinkButton } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { createSetting } from '../../shell/display.ts';
import type { welcome } from '../../words/en/welcome.ts';
import { useWords } from '../../words/words.ts';
import { WelcomeProgressDocument } from './progress.graphql';
import { doneSteps, steps } from './progress.ts';

/** Whether all steps were done when it was last looked, so that nothing moves once it is known again. */
const isWelcomeDone = createSetting('welcome-done', false);

/** Leads to the first steps until all are done. Live has none. */
export function WelcomeLink() {
  const words = useWords<typeof welcome>('welcome');
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
      {count === null ? '\u00a0' : words.progress(count, steps.length)}
    </Callout>
  );
}
