import { usePage } from '../data/current-page.ts';
import type { Due } from '../data/stripe-terms.ts';
import { Bank } from '../parts/bank.tsx';
import { Button, ButtonRow } from '../parts/button.tsx';
import { CardEntry } from '../parts/card-entry.tsx';
import { Alert } from '../parts/frame.tsx';
import { SandboxCards } from '../parts/sandbox.tsx';
import section from '../parts/section.module.css';
import { useCard } from '../parts/use-card.ts';
import { Dialog } from './parts.tsx';
import { useOwn } from './portal-words.ts';
import type { Frame } from './sections/kind.ts';
import type { Asking, PortalActions } from './use-portal.ts';

type AskProps = { readonly asking: Asking; readonly actions: PortalActions; readonly portal: Frame };

/** Confirmation before a charge or change. */
function Question({ asking, actions }: AskProps) {
  const own = useOwn();
  const close = (): void => actions.ask(null);
  return (
    <Dialog id="ask-dialog" labelledBy="ask-title" describedBy="ask-text" onClose={close}>
      <h2 id="ask-title" class={section.title}>
        {asking.title}
      </h2>
      <p id="ask-text">{asking.text}</p>
      {asking.details}
      <Alert text={actions.steps.alert} />
      <ButtonRow>
        <Button id="ask-confirm" disabled={actions.steps.isBusy} onClick={() => asking.act(null)}>
          {asking.label}
        </Button>
        {asking.otherwise === undefined ? null : (
          <Button
            kind="quiet"
            id="ask-otherwise"
            disabled={actions.steps.isBusy}
            onClick={asking.otherwise.act}
          >
            {asking.otherwise.label}
          </Button>
        )}
        <Button kind="quiet" id="ask-close" onClick={close}>
          {own.notNow}
        </Button>
      </ButtonRow>
    </Dialog>
  );
}

/** Dialog for entering a card. If the action fails, the dialog stays open and keeps its values. */
function CardQuestion({ asking, actions, portal, due }: AskProps & { readonly due: Due }) {
  const own = useOwn();
  const { payment } = usePage().words;
  const { steps } = actions;
  const publishableKey = portal.subscription?.publishableKey ?? null;
  const card = useCard({ publishableKey, seller: portal.branding.name, due, steps });
  const close = (): void => actions.ask(null);
  return (
    <Dialog id="card-dialog" labelledBy="card-title" describedBy="card-text" onClose={close}>
      <h2 id="card-title" class={section.title}>
        {asking.title}
      </h2>
      <p id="card-text">{asking.text}</p>
      <form
        id="card-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          // Stripe's errors are handled like errors of the service.
          asking.act(card.readTyped);
        }}
      >
        <fieldset class={section.fields} disabled={steps.isBusy}>
          <legend class={section.legend}>{payment.card}</legend>
          <CardEntry card={card} problems={steps.problems} />
          <Alert text={steps.alert} />
          <ButtonRow>
            <Button type="submit" id="card-submit">
              {asking.label}
            </Button>
            <Button kind="quiet" id="card-close" onClick={close}>
              {own.notNow}
            </Button>
          </ButtonRow>
        </fieldset>
      </form>
      {portal.livemode || publishableKey !== null ? null : <SandboxCards next="card-submit" />}
    </Dialog>
  );
}

/** Dialogs of the portal: the bank confirmation, or the confirmation of an action. */
export function Dialogs({ actions, portal }: { readonly actions: PortalActions; readonly portal: Frame }) {
  const { asking, steps } = actions;
  const authentication = portal.subscription?.authentication ?? null;
  if (authentication !== null)
    return (
      <Dialog
        id="bank-dialog"
        labelledBy="authentication-title"
        describedBy="authentication-text"
        // Only the customer's decision closes the dialog.
        onClose={() => undefined}
      >
        <Bank authentication={authentication} steps={steps} onAnswer={actions.answerBank} />
      </Dialog>
    );
  if (asking === null) return null;
  return asking.cardFor === null ? (
    <Question asking={asking} actions={actions} portal={portal} />
  ) : (
    <CardQuestion asking={asking} actions={actions} portal={portal} due={asking.cardFor} />
  );
}
