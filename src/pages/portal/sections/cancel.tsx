import { useState } from 'preact/hooks';
import { usePage } from '../../data/current-page.ts';
import { useShown } from '../../data/use-shown.ts';
import { dayText } from '../../format.ts';
import { Button, ButtonRow } from '../../parts/button.tsx';
import choices from '../../parts/choices.module.css';
import { useOwn } from '../own.ts';
import { Card, Plain, Quiet } from '../parts.tsx';
import styles from '../portal.module.css';
import { SectionButton } from '../section-link.tsx';
import { PlainSectionDocument } from '../standing.graphql';
import { CancelDocument } from '../steps.graphql';
import { cancelTexts, type Preview } from '../texts.ts';
import type { PortalActions } from '../use-portal.ts';
import { type SectionProps, sectionOf } from './kind.ts';

/** The longest reason the service takes. */
const longestReason = 1_000;

/** Why the customer leaves, as chosen and as typed. */
function typedReason(): string {
  const chosen = document.querySelector<HTMLInputElement>('input[name="leaving"]:checked')?.value ?? '';
  const typed = (document.getElementById('reason') as HTMLTextAreaElement | null)?.value.trim() ?? '';
  return [chosen, typed]
    .filter((text) => text !== '')
    .join(': ')
    .slice(0, longestReason);
}

function Reasons({ reasons }: { readonly reasons: readonly string[] }) {
  const { cancel: words } = useOwn();
  return (
    <>
      {reasons.length === 0 ? null : (
        <fieldset id="reasons" class={choices.choices}>
          <legend class={choices.legend}>{words.why}</legend>
          {reasons.map((reason) => (
            <label key={reason} class={choices.option}>
              <input type="radio" name="leaving" value={reason} />
              <span>{reason}</span>
            </label>
          ))}
          <label class={choices.option}>
            <input type="radio" name="leaving" value="" />
            <span>{words.other}</span>
          </label>
        </fieldset>
      )}
      <p class={styles.form}>
        <label for="reason">{reasons.length === 0 ? words.why : words.more}</label>
        <textarea id="reason" class={styles.area} rows={3} maxLength={900} />
      </p>
    </>
  );
}

type ConsequencesProps = {
  readonly actions: PortalActions;
  readonly isAtOnce: boolean;
  readonly onKnown: (isKnown: boolean) => void;
};

/** What is charged and lost, as the service works it out by what is true now. */
function Consequences({ actions, isAtOnce, onKnown }: ConsequencesProps) {
  const page = usePage();
  const own = useOwn();
  const [foreseen, setForeseen] = useState<Preview | null>(null);
  useShown(() => {
    onKnown(false);
    actions.preview({ cancel: {} }, (preview) => {
      setForeseen(preview);
      onKnown(true);
    });
  });
  return (
    <p id="confirmation-text">
      {foreseen === null ? '' : cancelTexts({ page, own }, foreseen, isAtOnce).join(' ')}
    </p>
  );
}

function LeavingForm({ portal, actions }: SectionProps) {
  const { cancel: words } = useOwn();
  const { subscription, settings } = portal;
  const [isKnown, setIsKnown] = useState(false);
  const { isBusy } = actions.steps;
  return (
    <Card id="confirmation" title={words.title}>
      <Consequences
        // Worked out again when something about the subscription has changed.
        key={JSON.stringify(subscription)}
        actions={actions}
        isAtOnce={subscription?.cancelsAtOnce === true}
        onKnown={setIsKnown}
      />
      <Reasons reasons={settings.cancelReasons} />
      <ButtonRow>
        <SectionButton name="overview" actions={actions} id="keep">
          {words.keep}
        </SectionButton>
        <Button
          id="cancel-confirm"
          disabled={isBusy || !isKnown}
          onClick={() => {
            const reason = typedReason();
            actions.attempt(() => actions.send('cancel', CancelDocument, reason === '' ? {} : { reason }), {
              done: words.done,
            });
          }}
        >
          {words.confirm}
        </Button>
      </ButtonRow>
    </Card>
  );
}

function Leaving(props: SectionProps) {
  const page = usePage();
  const { cancel: words } = useOwn();
  const { subscription, settings } = props.portal;
  if (subscription?.canCancel === true && settings.cancel) return <LeavingForm {...props} />;
  const ending = subscription?.cancellation ?? null;
  return (
    <Plain>
      <Quiet id="confirmation-text">
        {ending !== null
          ? words.ending(dayText(page, ending.effectiveAt))
          : settings.cancel
            ? words.not
            : words.off}
      </Quiet>
    </Plain>
  );
}

/** Leaving: what it leads to before it is done, and why. */
export const cancel = sectionOf(PlainSectionDocument, Leaving);
