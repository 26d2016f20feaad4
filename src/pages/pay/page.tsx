import { useArea, usePage } from '../data/current-page.ts';
import type { Begin } from '../data/initial-data.ts';
import { useChanges } from '../data/use-changes.ts';
import { useHost } from '../data/use-host.ts';
import { useKeepMounted } from '../data/use-keep-mounted.ts';
import { useMounted } from '../data/use-mounted.ts';
import { type MissingPlace, moneyText, taxRows } from '../format.ts';
import { Bank } from '../parts/bank.tsx';
import { Billing } from '../parts/billing.tsx';
import { Button, ButtonLink } from '../parts/button.tsx';
import { CardEntry } from '../parts/card-entry.tsx';
import { NothingToShow } from '../parts/empty-page.tsx';
import { Check, Field } from '../parts/field.tsx';
import { Alert, Frame, pageAddress, Status } from '../parts/frame.tsx';
import { Order } from '../parts/order.tsx';
import { isInstructed, OtherWays, PayerInstructions } from '../parts/payer-instructions.tsx';
import { PaymentChoice } from '../parts/payment-choice.tsx';
import { Return } from '../parts/return-link.tsx';
import { SandboxCards } from '../parts/sandbox.tsx';
import styles from '../parts/section.module.css';
import { LinkChangedDocument } from './page.graphql';
import { dueOf, isPayable, type Link, type Payment, type PayPageData, usePayment } from './use-payment.ts';

/** Order summary of the payment link: description, tax and total. */
function Amounts({ link, missing }: { readonly link: Link; readonly missing: MissingPlace }) {
  const page = usePage();
  const words = useArea('link');
  const money = (minor: number): string => moneyText(page, link, minor);
  return (
    <Order
      lines={[{ label: link.description, amount: money(link.amountSubtotal) }]}
      totals={[
        ...taxRows(page, link, link.tax, missing),
        { label: words.total, amount: money(dueOf(link, missing)) },
      ]}
    />
  );
}

/** Checkbox for saving the card, if the merchant lets the customer decide. Not shown for a saved card. */
function SaveCard({ payment }: { readonly payment: Payment }) {
  const words = useArea('link');
  const { link, card, steps } = payment;
  if (link.saveCard !== 'optional' || card.isSaved) return null;
  return (
    <Check
      name="saveCard"
      problems={steps.problems}
      required={false}
      onChange={({ currentTarget }) => payment.setSavesCard(currentTarget.checked)}
    >
      {words.saveCard({ merchant: link.branding.name })}
    </Check>
  );
}

/** Mandate for later charges to the card. */
function Mandate({ payment: { link, card, savesCard } }: { readonly payment: Payment }) {
  const words = useArea('link');
  const { name } = link.branding;
  return (
    <p id="mandate" class={styles.quiet}>
      {card.isSaved
        ? words.chargesOnce({ merchant: name })
        : savesCard
          ? words.savesCard({ merchant: name })
          : words.notSaved({ merchant: name })}
    </p>
  );
}

/** Payment form with email address, card and address. */
function PayForm({ payment }: { readonly payment: Payment }) {
  const page = usePage();
  const isMounted = useMounted();
  const { labels, payment: words } = page.words;
  const { link, steps, card, missing } = payment;
  const { problems } = steps;
  const amount = moneyText(page, link, link.amountTotal);
  const isShown = link.nextStep === 'pay';
  return (
    <form
      id="payment"
      class={isShown ? undefined : styles.away}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        payment.pay();
      }}
    >
      <fieldset id="fields" class={styles.fields} disabled={steps.isBusy}>
        <legend class={styles.legend}>{link.instruments.length > 1 ? words.method : words.card}</legend>
        <PaymentChoice
          offered={link.instruments}
          chosen={payment.choice.instrument}
          onChoose={payment.choice.choose}
        />
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
        {payment.choice.isPush ? null : <CardEntry card={card} problems={problems} />}
        <Billing
          problems={problems}
          isCountryNeeded={link.requiresBillingCountry}
          asksBusiness
          onPlace={() => void payment.reprice()}
        />
        {payment.choice.isPush ? null : <SaveCard payment={payment} />}
        <Alert text={isShown ? steps.alert : null} />
        <Button type="submit" id="pay" disabled={!isMounted}>
          {payment.choice.isPush
            ? words.showInstructions
            : missing === null
              ? words.payAmount({ amount })
              : words.pay}
        </Button>
        {payment.choice.isPush ? null : <Mandate payment={payment} />}
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
  const isAwaited = isPayable(link) && isInstructed(link.collection);
  useChanges({
    isOpen: !isPaid && !isCanceled,
    isWaiting: isWaiting || isAwaited,
    document: LinkChangedDocument,
    isShown: ({ paymentLinkChanged: told }) =>
      told.status === link.status &&
      told.nextStep === link.nextStep &&
      told.collection?.stage === link.collection?.stage,
    reload: () => steps.look(payment.reload),
  });
  useHost(link.branding.embedOrigins, isPaidNow && isPaid);
  const status = isPaid
    ? (isPaidNow ? own.paid : own.alreadyPaid)({ amount })
    : isCanceled
      ? own.canceled({ merchant: link.branding.name })
      : isWaiting
        ? words.payment.underWay
        : '';
  const isOpen = isPayable(link);
  const hasForm = useKeepMounted(link.nextStep === 'pay', !isPaid && !isCanceled);
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
            <p class={styles.amount}>{moneyText(page, link, dueOf(link, payment.missing))}</p>
            <Amounts link={link} missing={payment.missing} />
            <p id="summary" class={styles.quiet}>
              {link.customerEmail === null ? '' : words.order.billedTo({ email: link.customerEmail })}
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
        <Return
          address={link.successUrl}
          text={words.payment.back({ merchant: link.branding.name })}
          isDue={isPaidNow}
        />
      ) : null}
      {link.authentication !== null && isOpen ? (
        <Bank authentication={link.authentication} steps={steps} onAnswer={payment.answer} />
      ) : null}
      {isAwaited && link.collection !== null ? (
        <PayerInstructions collection={link.collection} units={link} />
      ) : null}
      {hasForm ? (
        <OtherWays isCollapsed={isAwaited}>
          <PayForm payment={payment} />
        </OtherWays>
      ) : null}
      {isOpen &&
      !link.livemode &&
      !payment.card.isSaved &&
      !payment.choice.isPush &&
      !isAwaited &&
      link.publishableKey === null &&
      link.nextStep === 'pay' ? (
        <SandboxCards />
      ) : null}
    </Frame>
  );
}

export function PayPage({ begin }: { readonly begin: Begin<PayPageData> }) {
  const { words } = usePage();
  const own = useArea('link');
  return begin.data === null ? (
    <NothingToShow title={words.payment.title} text={begin.isInvalid ? words.invalidLink : own.unavailable} />
  ) : (
    <OpenPayPage first={begin.data.paymentLink} />
  );
}
