import ChevronsRightIcon from 'lucide-react/icons/chevrons-right';
import { useEffect } from 'react';
import { dateTimeText } from '../../ui/format/dates.ts';
import { percentText } from '../../ui/format/numbers.ts';
import { ApiError } from '../data/api-error.ts';
import { ClockAdvanceDocument, ClockChangedDocument, ClockDocument } from '../data/clock.graphql';
import { resetNow, setNow } from '../data/clock.ts';
import { useAction, useData, useLive } from '../data/hooks.ts';
import { environment } from '../data/place.ts';
import { useStore } from '../data/store.ts';
import { PlainButton } from '../kit/plain-button.tsx';
import { useKit } from '../kit/provider.tsx';
import { useWords } from '../words/words.ts';
import { useErrorText } from './error-text.ts';
import { monthLater } from './month-later.ts';
import { notify } from './notices.ts';
import styles from './sandbox-bar.module.css';

/** Shows the time of the sandbox's test clock, and the progress while the clock advances. */
function Bar() {
  const words = useWords('shell');
  const kit = useKit();
  const textOf = useErrorText();
  const { data, refetch } = useData(ClockDocument, {});
  const [advance, { isRunning }] = useAction(ClockAdvanceDocument);
  useLive(ClockChangedDocument, {});
  const clock = data?.testClock ?? null;
  useEffect(() => {
    if (clock?.isActive === true) setNow(clock.now);
    else resetNow();
  }, [clock?.isActive, clock?.now]);
  useEffect(() => resetNow, []);
  const run = clock?.latestRun ?? null;
  const isUnderWay = run !== null && (run.status === 'running' || run.status === 'pending');

  async function addMonth(): Promise<void> {
    if (clock === null) return;
    const result = await advance({ input: { frozenTime: monthLater(clock.now) } });
    if (!(result instanceof ApiError)) refetch();
    else notify(textOf(result), { tone: 'negative', requestId: result.requestId });
  }

  return (
    <section className={styles.bar} aria-label={words.sandbox}>
      <strong>{words.sandbox}</strong>
      {clock?.isActive === true && (
        <span className={styles.time}>{dateTimeText(isUnderWay ? run.cursorTime : clock.now, kit)}</span>
      )}
      {isUnderWay && (
        <span className={styles.progress}>
          <progress className={styles.track} value={run.progress} max={1} aria-label={words.clockRun} />
          <span>{percentText(run.progress, kit.locale, { decimals: 0 })}</span>
        </span>
      )}
      <span className={styles.space} />
      <PlainButton
        size="sm"
        kind="quiet"
        icon={<ChevronsRightIcon />}
        isDisabled={clock === null || isUnderWay}
        isPending={isRunning}
        onPress={() => void addMonth()}
      >
        {words.monthLater}
      </PlainButton>
    </section>
  );
}

/** Bar above all pages of the sandbox. Not shown in the live environment. */
export const SandboxBar = () => (useStore(environment) === 'sandbox' ? <Bar /> : null);
