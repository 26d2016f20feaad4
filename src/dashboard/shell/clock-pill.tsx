import ClockIcon from 'lucide-react/icons/clock';
import { useEffect, useRef, useState } from 'react';
import { dateText, dateTimeText } from '../../ui/format/dates.ts';
import { percentText } from '../../ui/format/numbers.ts';
import { ClockChangedDocument, ClockDocument } from '../data/clock.graphql';
import { resetNow, setNow } from '../data/clock.ts';
import { useData, useLive } from '../data/hooks.ts';
import { environment } from '../data/place.ts';
import { useStore } from '../data/store.ts';
import { lazyPart } from '../kit/lazy-part.tsx';
import { useKit } from '../kit/provider.tsx';
import { useWords } from '../words/words.ts';
import styles from './top-line.module.css';

const ClockPopover = lazyPart(() => import('./clock-popover.tsx').then((module) => module.default));

/** Shows the time of the sandbox's test clock, and the progress while the clock advances. Opens the form that advances the clock. */
function Pill() {
  const words = useWords('shell');
  const kit = useKit();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  const { data, refetch } = useData(ClockDocument, {});
  useLive(ClockChangedDocument, {});
  const clock = data?.testClock ?? null;
  useEffect(() => {
    if (clock?.isActive === true) setNow(clock.now);
    else resetNow();
  }, [clock?.isActive, clock?.now]);
  useEffect(() => resetNow, []);
  const run = clock?.latestRun ?? null;
  const isUnderWay = run !== null && (run.status === 'running' || run.status === 'pending');
  const time = isUnderWay ? run.cursorTime : clock?.isActive === true ? clock.now : null;
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles.pill}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={ClockPopover.preload}
        onClick={() => {
          setOpened(true);
          setOpen(true);
        }}
      >
        <ClockIcon aria-hidden="true" />
        <span className={styles.wide}>{words.sandbox}</span>
        {time !== null && <span className={styles.wide}>{dateTimeText(time, kit)}</span>}
        {time !== null && (
          <span className={styles.narrow} aria-hidden="true">
            {dateText(time, kit)}
          </span>
        )}
        {isUnderWay && (
          <>
            <progress className={styles.track} value={run.progress} max={1} aria-label={words.clockRun} />
            <span>{percentText(run.progress, kit.locale, { decimals: 0 })}</span>
          </>
        )}
      </button>
      {wasOpened && clock !== null && (
        <ClockPopover
          now={clock.now}
          isUnderWay={isUnderWay}
          trigger={button}
          isOpen={isOpen}
          onClose={() => setOpen(false)}
          onStarted={refetch}
        />
      )}
    </>
  );
}

/** Test clock of the sandbox. Not shown in the live environment. */
export const ClockPill = () => (useStore(environment) === 'sandbox' ? <Pill /> : null);
