import { useState } from 'preact/hooks';
import { areaOf, type CurrentPage, useArea, usePage } from '../data/current-page.ts';
import type { Begin } from '../data/initial-data.ts';
import { useHost } from '../data/use-host.ts';
import { useMounted } from '../data/use-mounted.ts';
import { type Reloaded, usePageActions } from '../data/use-page-actions.ts';
import { dayText, moneyText } from '../format.ts';
import { Bank } from '../parts/bank.tsx';
import { Button } from '../parts/button.tsx';
import { CardEntry, cardFields } from '../parts/card-entry.tsx';
import { NothingToShow } from '../parts/empty-page.tsx';
import { Alert, Frame, Onward, Status } from '../parts/frame.tsx';
import { isInstructed, OtherWays, PayerInstructions } from '../parts/payer-instructions.tsx';
import { PaymentChoice } from '../parts/payment-choice.tsx';
import { SandboxCards } from '../parts/sandbox.tsx';
import styles from '../parts/section.module.css';
import { type CardInput, useCard } from '../parts/use-card.ts';
import type { CardRequestPartsFragment } from './request.graphql';

type CardRequest = CardRequestPartsFragment;

/** Operations for the two pages with a card form: paying an outstanding invoice, and replacing the stored card. */
export type CardOperations = {
  readonly isPayment: boolean;
  readonly load: (token: string) => Promise<{ readonly request: CardRequest }>;
  readonly submit: (
    input: { readonly token: string } & CardInput,
    onWait: () => void,
  ) => Promise<{ readonly request: CardRequest }>;
  /** Follows changes of the request. Absent if the page doesn't wait for payments. */
  readonly useLive?: (request: CardRequest, look: () => void) => void;
  readonly authenticate: (
    input: { readonly token: string; readonly succeed: boolean },
    onWait: () => void,
  ) => Promise<{ readonly request: CardRequest }>;
};

const isOpen = ({ status }: CardRequest): boolean => status === 'open';

/** Returns true for a page with a pending payment. */
const isPending = ({ status, collection }: CardRequest): boolean => status === 'open' && collection !== null;

/** Manages the page state and the steps for submitting a card. */
function useRequest(operations: CardOperations, first: CardRequest) {
  const { token } = usePage();
  const [request, setRequest] = useState(first);
  const [isDone, setIsDone] = useState(false);
  const steps = usePageActions(cardFields);
  const card = useCard({
    publishableKey: isOpen(request) && !isDone ? request.publishableKey : null,
    seller: request.branding.name,
    due: { amount: operations.isPayment ? request.amountDue : 0, currency: request.currency },
    steps,
  });

  /** Shows the result of a step, or reloads the page state if there's no result. If the reload fails, the page doesn't change. */
  async function reload(answer: { readonly request: CardRequest } | null): Promise<Reloaded> {
    let next = answer?.request;
    try {
      next ??= (await operations.load(token)).request;
    } catch {
      return { isOpen: null };
    }
    const isNowPaid = isPending(request) && next.status === 'paid';
    const isNowDone = isNowPaid || (answer !== null && next.authentication === null && !isPending(next));
    setRequest(next);
    setIsDone(isNowDone);
    if (isNowDone || !isOpen(next)) return { isOpen: false, focus: 'title' };
    return { isOpen: true, ...(next.authentication === null ? {} : { focus: 'confirm' }) };
  }
  const [instrument, setInstrument] = useState('card');
  const paymentMethod =
    request.instruments.find((each) => each.instrument === instrument)?.paymentMethod ?? null;
  const submit = (): void =>
    void steps.attempt(
      async () =>
        operations.submit(
          { token, ...(paymentMethod === null ? await card.readTyped() : { paymentMethod }) },
          steps.onWait,
        ),
      reload,
    );
  const answer = (succeed: boolean, ask: () => Promise<void>): void =>
    void steps.attempt(async () => {
      await ask();
      return operations.authenticate({ token, succeed }, steps.onWait);
    }, reload);
  const choice = { instrument, choose: setInstrument, isPush: paymentMethod !== null };
  /** Reloads the page after a change that the page didn't make. */
  const look = (): void => steps.look(() => reload(null));
  return { request, isDone, steps, card, choice, submit, answer, look };
}

type Asked = ReturnType<typeof useRequest>;

function CardForm({ asked, label }: { readonly asked: Asked; readonly label: string }) {
  const { payment } = usePage().words;
  const isMounted = useMounted();
  return (
    <form
      id="payment"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        asked.submit();
      }}
    >
      <fieldset id="fields" class={styles.fields} disabled={asked.steps.isBusy}>
        <legend class={styles.legend}>
          {asked.request.instruments.length > 1 ? payment.method : payment.card}
        </legend>
        <PaymentChoice
          offered={asked.request.instruments}
          chosen={asked.choice.instrument}
          onChoose={asked.choice.choose}
        />
        {asked.choice.isPush ? null : <CardEntry card={asked.card} problems={asked.steps.problems} />}
        <Alert text={asked.steps.alert} />
        <Button type="submit" id="pay" disabled={!isMounted}>
          {asked.choice.isPush ? payment.showInstructions : label}
        </Button>
      </fieldset>
    </form>
  );
}

type Shown = { readonly request: CardRequest; readonly isPayment: boolean; readonly isDone: boolean };

function statusText(page: CurrentPage, { request, isPayment, isDone }: Shown): string {
  const card = areaOf(page, 'card');
  if (isDone) return isPayment ? card.paid : card.stored;
  if (request.status === 'paid') return card.alreadyPaid;
  if (isPending(request) && request.collection?.instructions == null) {
    const { payment } = page.words;
    const expectedOn = request.collection?.expectedOn ?? null;
    return expectedOn === null ? payment.underWay : payment.collecting({ day: dayText(page, expectedOn) });
  }
  if (isOpen(request)) return '';
  const over = card.over({ merchant: page.merchant });
  return request.subscriptionStatus === 'canceled' ? `${card.ended} ${over}` : over;
}

/** Explains what the card is for, or shows the outstanding amount after the card was stored. */
function summaryText(page: CurrentPage, { request, isPayment, isDone }: Shown): string {
  const card = areaOf(page, 'card');
  const { outstandingAmount, nextRetryAt, accessEndsAt, customerEmail } = request;
  if (isDone && outstandingAmount !== null) {
    const amount = moneyText(page, request, outstandingAmount);
    const stillOpen = card.stillOpen({ amount });
    return nextRetryAt === null
      ? stillOpen
      : `${stillOpen} ${card.chargedOn({ day: dayText(page, nextRetryAt) })}`;
  }
  if (isDone || !isOpen(request)) return '';
  if (!isPayment) return card.storing({ email: customerEmail });
  const billed = card.paying({ amount: moneyText(page, request, request.amountDue), email: customerEmail });
  return accessEndsAt === null
    ? billed
    : `${billed} ${card.accessEnds({ day: dayText(page, accessEndsAt) })}`;
}

/** Link to the outstanding invoice's payment page, or back to the merchant. */
function Next({ request, isDone }: Pick<Shown, 'request' | 'isDone'>) {
  const page = usePage();
  const { payment } = page.words;
  const card = useArea('card');
  const { outstandingAmount } = request;
  if (isDone && outstandingAmount !== null)
    return (
      <Onward
        address={request.paymentUrl}
        text={card.payNow({ amount: moneyText(page, request, outstandingAmount) })}
      />
    );
  return isDone || request.status === 'paid' ? (
    <Onward address={request.successUrl} text={payment.back({ merchant: request.branding.name })} />
  ) : null;
}

function OpenCardPage({
  operations,
  first,
}: {
  readonly operations: CardOperations;
  readonly first: CardRequest;
}) {
  const page = usePage();
  const asked = useRequest(operations, first);
  const { request, isDone, steps } = asked;
  const { isPayment } = operations;
  const shown = { request, isPayment, isDone };
  const { payment } = page.words;
  const isActive = isOpen(request) && !isDone;
  const isWaiting = isActive && isInstructed(request.collection);
  operations.useLive?.(request, asked.look);
  useHost(request.branding.embedOrigins, isDone);
  const amount = moneyText(page, request, request.amountDue);
  return (
    <Frame
      branding={request.branding}
      isSandbox={!request.livemode}
      locales={request.locales}
      title={request.name}
      aside={
        <>
          {isActive && isPayment ? <p class={styles.amount}>{amount}</p> : null}
          <p id="summary" class={styles.quiet}>
            {summaryText(page, shown)}
          </p>
        </>
      }
    >
      <Status
        text={statusText(page, shown)}
        working={steps.working}
        isDone={isDone || request.status === 'paid'}
      />
      <Next request={request} isDone={isDone} />
      {isActive && request.authentication !== null ? (
        <Bank authentication={request.authentication} steps={steps} onAnswer={asked.answer} />
      ) : null}
      {isWaiting && request.collection !== null ? (
        <PayerInstructions collection={request.collection} units={request} />
      ) : null}
      {isActive && request.authentication === null && (request.collection === null || isWaiting) ? (
        <>
          <OtherWays isCollapsed={isWaiting}>
            <CardForm asked={asked} label={isPayment ? payment.payAmount({ amount }) : payment.saveCard} />
          </OtherWays>
          {isWaiting || asked.choice.isPush || request.livemode || request.publishableKey !== null ? null : (
            <SandboxCards />
          )}
        </>
      ) : null}
    </Frame>
  );
}

/** Page where a customer submits a card for a subscription. */
export function CardPage({
  operations,
  begin,
}: {
  readonly operations: CardOperations;
  readonly begin: Begin<{ readonly request: CardRequest }>;
}) {
  const { words } = usePage();
  const own = useArea('card');
  return begin.data === null ? (
    <NothingToShow title={words.payment.title} text={begin.isInvalid ? words.invalidLink : own.unavailable} />
  ) : (
    <OpenCardPage operations={operations} first={begin.data.request} />
  );
}
