import { useState } from 'preact/hooks';
import type { ResultOf } from '../../../ui/documents.ts';
import { usePage } from '../../data/current-page.ts';
import { useOnMount } from '../../data/use-on-mount.ts';
import { dayText, moneyText } from '../../format.ts';
import { Button, ButtonRow } from '../../parts/button.tsx';
import choices from '../../parts/choices.module.css';
import { Actions, Card, Plain, Quiet } from '../parts.tsx';
import styles from '../portal.module.css';
import { useOwn } from '../portal-words.ts';
import { accept, type Offer, OfferTable, offerText, UndoButton } from '../retention-offer.tsx';
import { SectionButton } from '../section-link.tsx';
import { CancelDocument } from '../steps.graphql';
import { cancelTexts, type Preview } from '../texts.ts';
import type { PortalActions } from '../use-portal.ts';
import { CancelSectionDocument } from './cancel.graphql';
import { type SectionProps, sectionOf } from './kind.ts';

/** Maximum length of a reason, in characters. */
const longestReason = 1_000;

/** Returns the reason for the cancellation: the selected and the typed text. */
function typedReason(): string {
  const chosen = document.querySelector<HTMLInputElement>('input[name="leaving"]:checked')?.value ?? '';
  const typed = (document.getElementById('reason') as HTMLTextAreaElement | null)?.value.trim() ?? '';
  return [chosen, typed]
    .filter((text) => text !== '')
    .join(': ')
    .slice(0, longestReason);
}

function Reasons({ reasons }: { readonly reasons: readonly string[] }) {
  const page = usePage();
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
        <label for="reason">
          {reasons.length === 0 ? words.why : words.more({ merchant: page.merchant })}
        </label>
        <textarea id="reason" class={styles.area} rows={3} maxLength={900} />
      </p>
    </>
  );
}

type Portal = ResultOf<typeof CancelSectionDocument>['portal'];

type ConsequencesProps = {
  readonly actions: PortalActions;
  readonly text: string;
  readonly onKnown: (preview: Preview | null) => void;
};

/** Shows the charges and losses that a cancellation causes, as previewed by the service. */
function Consequences({ actions, text, onKnown }: ConsequencesProps) {
  useOnMount(() => {
    onKnown(null);
    actions.preview({ cancel: {} }, onKnown);
  });
  return <p id="confirmation-text">{text}</p>;
}

/** Shows the retention offer before a cancellation. */
function OfferDetails({ offer, losses }: { readonly offer: Offer; readonly losses: string }) {
  const { cancel: words } = useOwn();
  return (
    <>
      <OfferTable offer={offer} />
      <Quiet id="losses">{words.ifYouLeave({ text: losses })}</Quiet>
    </>
  );
}

type FormProps = SectionProps<Portal> & { readonly onStay: () => void };

function LeavingForm({ portal, actions, onStay }: FormProps) {
  const page = usePage();
  const own = useOwn();
  const { cancel: words } = own;
  const speaking = { page, own };
  const { subscription, settings } = portal;
  const [foreseen, setForeseen] = useState<Preview | null>(null);
  const { isBusy } = actions.steps;
  const losses =
    foreseen === null
      ? ''
      : cancelTexts(speaking, foreseen, subscription?.cancelsImmediately === true).join(' ');
  const offer = subscription?.retentionOffer ?? null;
  const leave = (reason: string): void =>
    actions.attempt(() => actions.send('cancel', CancelDocument, reason === '' ? {} : { reason }), {
      done: words.done,
    });
  const offerToStay = (made: Offer, reason: string): void => {
    const saving = words.stay({ amount: moneyText(page, made, made.saving) });
    actions.ask({
      title: saving,
      text: offerText(speaking, made),
      label: saving,
      cardFor: null,
      act: () => accept(actions, made, reason, { done: words.stayed, next: onStay }),
      details: <OfferDetails offer={made} losses={losses} />,
      otherwise: { label: words.leave, act: () => leave(reason) },
    });
  };
  return (
    <Card id="confirmation" title={words.title}>
      <Consequences
        // The key reloads the preview after each change to the subscription, except changes to the retention offer.
        key={JSON.stringify({ ...subscription, retentionOffer: null })}
        actions={actions}
        text={losses}
        onKnown={setForeseen}
      />
      <Reasons reasons={settings.cancelReasons} />
      <ButtonRow>
        <SectionButton name="overview" actions={actions} id="keep">
          {words.keep}
        </SectionButton>
        <Button
          id="cancel-confirm"
          disabled={isBusy || foreseen === null}
          onClick={() => (offer === null ? leave(typedReason()) : offerToStay(offer, typedReason()))}
        >
          {words.confirm}
        </Button>
      </ButtonRow>
    </Card>
  );
}

/** Retention offer for a customer whose subscription is already scheduled to cancel. */
function LateOffer({ offer, actions, onStay }: { readonly offer: Offer } & Omit<FormProps, 'portal'>) {
  const page = usePage();
  const own = useOwn();
  const { cancel: words } = own;
  const saving = words.stay({ amount: moneyText(page, offer, offer.saving) });
  return (
    <Card id="offer" title={saving}>
      <p id="offer-text">{offerText({ page, own }, offer)}</p>
      <OfferTable offer={offer} />
      <Actions>
        <Button
          id="stay"
          disabled={actions.steps.isBusy}
          onClick={() => accept(actions, offer, '', { done: words.stayed, next: onStay })}
        >
          {saving}
        </Button>
      </Actions>
    </Card>
  );
}

function Leaving(props: SectionProps<Portal>) {
  const page = usePage();
  const { cancel: words, overview } = useOwn();
  const [isStaying, setIsStaying] = useState(false);
  const { subscription, settings } = props.portal;
  const onStay = (): void => setIsStaying(true);
  const ending = subscription?.cancellation ?? null;
  const offer = subscription?.retentionOffer ?? null;
  if (isStaying && ending === null)
    return (
      <Plain>
        <Quiet id="confirmation-text">{words.stayed}</Quiet>
        <Actions>
          <SectionButton name="overview" actions={props.actions} id="back-to-plan">
            {overview.toPlan}
          </SectionButton>
        </Actions>
      </Plain>
    );
  if (subscription?.canCancel === true && settings.cancel) return <LeavingForm {...props} onStay={onStay} />;
  return (
    <>
      <Plain>
        <Quiet id="confirmation-text">
          {ending !== null
            ? words.ending({ day: dayText(page, ending.effectiveAt) })
            : settings.cancel
              ? words.not
              : words.off({ merchant: page.merchant })}
        </Quiet>
        {ending === null ? null : (
          <Actions>
            <UndoButton actions={props.actions} />
          </Actions>
        )}
      </Plain>
      {ending === null || offer === null ? null : (
        <LateOffer offer={offer} actions={props.actions} onStay={onStay} />
      )}
    </>
  );
}

/** Section that cancels the subscription: effects, reason, and retention offer. */
export const cancel = sectionOf(CancelSectionDocument, Leaving);
