import { useRef, useState } from 'preact/hooks';
import type { ResultOf } from '../../ui/documents.ts';
import { useArea, usePage } from '../data/current-page.ts';
import type { Begin } from '../data/first-answer.ts';
import { acting } from '../data/late.ts';
import { Rejection, run } from '../data/service.ts';
import { typed, typedAddress, typedOf } from '../data/typed.ts';
import { useChanges } from '../data/use-changes.ts';
import { useHost } from '../data/use-host.ts';
import { useMounted } from '../data/use-mounted.ts';
import { type Reloaded, useSteps } from '../data/use-steps.ts';
import { moneyText, taxRows } from '../format.ts';
import { Bank } from '../parts/bank.tsx';
import { Billing, billingFields } from '../parts/billing.tsx';
import { Button, ButtonLink } from '../parts/button.tsx';
import { CardEntry, cardFields } from '../parts/card-entry.tsx';
import { Field } from '../parts/field.tsx';
import { Alert, Frame, pageAddress, Return, Status } from '../parts/frame.tsx';
import { NothingToShow } from '../parts/nothing.tsx';
import { Order } from '../parts/order.tsx';
import { SandboxCards } from '../parts/sandbox.tsx';
import styles from '../parts/section.module.css';
import { useCard, useSavedCard } from '../parts/use-card.ts';
import { ConfirmLinkDocument, LinkChangedDocument, PayLinkDocument, PayPageDocument } from './page.graphql';

export type PayPageData = ResultOf<typeof PayPageDocument>;
type Link = PayPageData['paymentLink'];
type Outcome = ResultOf<typeof PayLinkDocument>['paymentLinkPay'];

const fields = ['email', ...cardFields, ...billingFields];

/** Where the payer is, as far as that is typed in: the tax depends on it. */
const typedPlace = () => typedOf('country', 'state', 'taxDocument');

const isPayable = ({ nextStep, status }: Link): boolean =>
  status !== 'succeeded' && (nextStep === 'pay' || nextStep === 'authenticate');

/** What is to be paid. */
function Amounts({ link, isTaxOpen }: { readonly link: Link; readonly isTaxOpen: boolean }) {
  const page = usePage();
  const { order } = page.words;
  const words = useArea('link');
  const money = (minor: number): string => moneyText(page, link, minor);
  return (
    <Order
      lines={[{ label: link.description, amount: money(link.amountSubtotal) }]}
      totals={[
        ...(isTaxOpen ? [{ label: order.tax, amount: order.taxOpen }] : []),
        ...taxRows(page, link, link.tax),
        { label: words.total, amount: money(link.amountTotal) },
      ]}
    />
  );
}

/** The link as the service has it, and how a payer pays it. */
function usePayment(first: Link) {
  const page = usePage();
  const { token } = page;
  const [link, setLink] = useState(first);
  const [isPaidNow, setIsPaidNow] = useState(false);
  const [receipt, setReceipt] = useState<string | null>(null);
  const [isTaxOpen, setIsTaxOpen] = useState(first.requiresBillingCountry);
  const steps = useSteps(fields);
  const saved = useSavedCard(link.savedMethod, !link.livemode);
  const card = useCard(
    {
      publishableKey: isPayable(link) ? link.publishableKey : null,
      seller: link.branding.name,
      due: { amount: link.amountTotal, currency: link.currency },
      steps,
    },
    saved,
  );
  // Counts the prices requested, so that a late answer does not replace a newer one.
  const requested = useRef(0);

  const show = (next: Link): void => {
    setLink(next);
    setIsTaxOpen(next.requiresBillingCountry && typed('country') === '');
  };
  const read = async (): Promise<Link> =>
    (await run(PayPageDocument, { token, ...typedPlace() })).paymentLink;

  /** Looks how things stand; what is shown stays where that fails. */
  async function reload(outcome: Outcome | null): Promise<Reloaded> {
    const isPaid = outcome?.status === 'paid';
    if (isPaid) setIsPaidNow(true);
    if (outcome != null) setReceipt(outcome.receiptUrl);
    let next: Link | null = null;
    try {
      next = await read();
    } catch {
      if (!isPaid) return { isOpen: null };
      next = { ...link, status: 'succeeded', nextStep: 'none' };
    }
    show(next);
    if (next.status === 'succeeded') return { isOpen: false, focus: 'title' };
    return {
      isOpen: isPayable(next),
      ...(next.nextStep === 'authenticate' ? { focus: 'confirm' } : {}),
    };
  }

  /** Shows the amounts for the place typed in, and the card fields of the account that takes the card of a payer from there. */
  async function reprice(): Promise<void> {
    const turn = ++requested.current;
    try {
      const next = await read();
      if (turn !== requested.current) return;
      steps.complain(null);
      show(next);
    } catch (error) {
      // Without an answer the amounts shown stay; what is charged is shown by the payment itself.
      if (turn === requested.current && error instanceof Rejection) steps.reject(error);
    }
  }

  const pay = (): void =>
    void steps.attempt(
      async () => {
        const billingAddress = typedAddress();
        const input = {
          token,
          ...(await card.read()),
          ...typedOf('email', 'taxDocument', 'companyName'),
          ...(billingAddress === null ? {} : { billingAddress }),
        };
        const { onWait } = steps;
        return (await acting()).once({ action: 'pay', mutation: PayLinkDocument, input, onWait });
      },
      (result) => reload(result?.paymentLinkPay ?? null),
    );
  const answer = (succeed: boolean, ask: () => Promise<void>): void =>
    void steps.attempt(
      async () => {
        await ask();
        const { onWait } = steps;
        return (await acting()).once({
          action: 'authenticate',
          mutation: ConfirmLinkDocument,
          input: { token, succeed },
          onWait,
        });
      },
      (result) => reload(result?.paymentLinkAuthenticate ?? null),
    );
  return { link, isPaidNow, receipt, isTaxOpen, steps, card, reload, reprice, pay, answer };
}

type Payment = ReturnType<typeof usePayment>;

/** Who pays, from what card and where. */
function PayForm({ payment }: { readonly payment: Payment }) {
  const page = usePage();
  const isMounted = useMounted();
  const { labels, payment: words } = page.words;
  const { link, steps, card, isTaxOpen } = payment;
  const { problems } = steps;
  const amount = moneyText(page, link, link.amountTotal);
  return (
    <form
      id="payment"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        payment.pay();
      }}
    >
      <fieldset id="fields" class={styles.fields} disabled={steps.isBusy}>
        <legend class={styles.legend}>{words.card}</legend>
        {link.customerEmail === null ? (
          <Field
            name="email"
            label={labels.email}
            problems={problems}
            type="email"
            autoComplete="email"
            maxLength={320}
            required
          />
        ) : null}
        <CardEntry card={card} problems={problems} />
        <Billing
          problems={problems}
          isCountryNeeded={link.requiresBillingCountry}
          asksBusiness
          onPlace={() => void payment.reprice()}
        />
        <Alert text={steps.alert} />
        <Button type="submit" id="pay" disabled={!isMounted}>
          {isTaxOpen ? words.pay : words.payAmount(amount)}
        </Button>
      </fieldset>
    </form>
  );
}

function OpenPayPage({ first }: { readonly first: Link }) {
  const page = usePage();
  const { words } = page;
  const own = useArea('link');
  const payment = usePayment(first);
  const { link, steps, isPaidNow } = payment;
  const amount = moneyText(page, link, link.amountTotal);
  const isPaid = link.status === 'succeeded';
  const isCanceled = link.status === 'canceled';
  const isWaiting = link.nextStep === 'wait' && !isPaid;
  useChanges({
    isOpen: !isPaid && !isCanceled,
    isWaiting,
    document: LinkChangedDocument,
    isShown: ({ paymentLinkChanged: told }) => told.status === link.status && told.nextStep === link.nextStep,
    reload: () => steps.look(payment.reload),
  });
  useHost(link.branding.embedOrigins, isPaidNow && isPaid);
  const status = isPaid
    ? (isPaidNow ? own.paid : own.alreadyPaid)(amount)
    : isCanceled
      ? own.canceled
      : isWaiting
        ? words.payment.underWay
        : '';
  const isOpen = isPayable(link);
  const target = pageAddress(payment.receipt, page);
  return (
    <Frame
      branding={link.branding}
      isSandbox={!link.livemode}
      locales={link.locales}
      title={link.description}
      aside={
        isPaid || isCanceled ? null : (
          <>
            <p class={styles.amount}>{amount}</p>
            <Amounts link={link} isTaxOpen={payment.isTaxOpen} />
            <p id="summary" class={styles.quiet}>
              {link.customerEmail === null ? '' : words.order.billedTo(link.customerEmail)}
            </p>
          </>
        )
      }
    >
      <Status text={status} working={steps.working} isDone={isPaid} />
      {isPaid && target !== null ? (
        <ButtonLink id="receipt" kind="quiet" href={target}>
          {words.payment.receipt}
        </ButtonLink>
      ) : null}
      {isPaid ? (
        <Return address={link.successUrl} text={words.payment.back(link.branding.name)} isDue={isPaidNow} />
      ) : null}
      {link.authentication !== null && isOpen ? (
        <Bank authentication={link.authentication} steps={steps} onAnswer={payment.answer} />
      ) : null}
      {link.nextStep === 'pay' && isOpen ? <PayForm payment={payment} /> : null}
      {isOpen &&
      !link.livemode &&
      !payment.card.isSaved &&
      link.publishableKey === null &&
      link.nextStep === 'pay' ? (
        <SandboxCards />
      ) : null}
    </Frame>
  );
}

/** The page of a payment link. */
export function PayPage({ begin }: { readonly begin: Begin<PayPageData> }) {
  const { words } = usePage();
  const own = useArea('link');
  return begin.data === null ? (
    <NothingToShow title={words.payment.title} text={begin.isInvalid ? words.invalidLink : own.unavailable} />
  ) : (
    <OpenPayPage first={begin.data.paymentLink} />
  );
}
