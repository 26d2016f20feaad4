import { addressOf } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { environment } from '../../data/place.ts';
import { useStore } from '../../data/store.ts';
import { LinkButton } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import type { welcome } from '../../words/en/welcome.ts';
import { useWords } from '../../words/words.ts';
import { WelcomeProgressDocument } from './progress.graphql';
import { doneSteps, steps } from './progress.ts';

/** Leads to the first steps until all are done. Live has none. */
export function WelcomeLink() {
  const words = useWords<typeof welcome>('welcome');
  const isLive = useStore(environment) === 'live';
  const { data } = useData(WelcomeProgressDocument, {}, { isPaused: isLive });
  if (data === null || isLive) return null;
  const done = doneSteps(data);
  const count = steps.filter((step) => done[step]).length;
  if (count === steps.length) return null;
  return (
    <Callout
      title={words.linkTitle}
      actions={<LinkButton href={addressOf('welcome')}>{words.goOn}</LinkButton>}
    >
      {words.progress(count, steps.length)}
    </Callout>
  );
}
