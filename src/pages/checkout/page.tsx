import { useRef } from 'preact/hooks';
import { usePage } from '../data/current-page.ts';
import type { Begin } from '../data/initial-data.ts';
import { useChanges } from '../data/use-changes.ts';
import { useHost } from '../data/use-host.ts';
import { useKeepMounted } from '../data/use-keep-mounted.ts';
import { useMounted } from '../data/use-mounted.ts';
import { lineText, moneyText, taxRows } from '../format.ts';
import { Bank } from '../parts/bank.tsx';
import { Billing } from '../parts/billing.tsx';
import { Button } from '../parts/button.tsx';
import { CardEntry } from '../parts/card-entry.tsx';
import { NothingToShow } from '../parts/empty-page.tsx';
import { FeatureList } from '../parts/features.tsx';
import { Check } from '../parts/field.tsx';
import { Alert, Frame, Status, webAddress } from '../parts/frame.tsx';
import { Order } from '../parts/order.tsx';
import { isInstructed, OtherWays, PayerInstructions } from '../parts/payer-instructions.tsx';
import { BankAccountEntry, PaymentChoice } from '../parts/payment-choice.tsx';
import { Promo } from '../parts/promo.tsx';
import { Return } from '../parts/return-link.tsx';
import { SandboxCards, SandboxCountry } from '../parts/sandbox.tsx';
import styles from '../parts/section.module.css';
import { Intervals, Seats } from './choices.tsx';
import { CheckoutChangedDocument } from './page.graphql';
import { Receipt } from './receipt.tsx';
import { statusText, summaryText, termsText } from './texts.ts';
import {
  type Checking,
  type Checkout,
  type CheckoutPageData,
  isPayable,
  useCheckout,
} from './use-checkout.ts';

type Parts = { readonly checking: Checking };

/** Amounts due now. All amounts have the same currency. */
function Amounts({ checking }: Parts) {
  const page = usePage();
  const { order, checkout: words } = page.words;
  const { shown, missing } = checking;
  const money = (minor: number): string => moneyText(page, shown, minor);
  const { lineItems, discountAmount, tax, taxAmount, amountDue, isOfferConditional } = shown;
  const isDiscount = ({ lineType }: (typeof lineItems)[number]): boolean => /discount$/.test(lineType);
  return (
    <Order
      lines={lineItems
        .filter((line) => !isDiscount(line))
        .map((line) => ({
          label: lineText(page, line),
          amount: money(line.amount),
          why: line.why,
        }))}
      totals={[
        ...(discountAmount > 0
          ? [
              {
                label: isOfferConditional ? order.conditionalDiscount : order.discount,
                amount: money(-discountAmount),
                why: lineItems
                  .filter(isDiscount)
                  .map((line) => `${line.label}: ${line.why}`)
                  .join(' '),
              },
            ]
          : []),
        ...taxRows(page, shown, tax, missing),
        { label: words.dueNow, amount: money(missing === null ? amountDue : amountDue - taxAmount) },
      ]}
    />
  );
}

/** Summary of the purchase, with its options. */
function Bought({ checking }: Parts) {
  const page = usePage();
  const { checkout, shown, steps, promo, missing } = checking;
  const isOpen = isPayable(checkout);
  return (
    <>
      <p id="summary">{summaryText(page, shown)}</p>
      {checkout.planDescription === null ? null : <p class={styles.quiet}>{checkout.planDescription}</p>}
      <FeatureList features={checkout.features} units={checkout} rates={checkout.rates} />
      {isOpen ? (
        <>
          <Intervals checking={checking} />
          <Seats checking={checking} />
        </>
      ) : null}
      <Amounts checking={checking} />
      {isOpen && checkout.nextStep === 'pay' && checkout.settings.promoCodes ? (
        <Promo
          problems={steps.problems}
          applied={promo.applied}
          saving={moneyText(page, shown, shown.discountAmount)}
          isBusy={steps.isBusy}
          onApply={(code) => {
            steps.mark('promoCode', '');
            void checking.reprice(code);
          }}
        />
      ) : null}
      <p id="terms" class={styles.quiet}>
        {missing === null ? termsText(page, shown) : ''}
      </p>
    </>
  );
}

/** Checkbox that accepts the merchant's terms. Not shown if the merchant doesn't require acceptance. */
function Consent({ checking }: Parts) {
  const { words } = usePage();
  const { branding, settings } = checking.checkout;
  if (!settings.consent) return null;
  const text = words.checkout.consent({ merchant: branding.name });
  const terms = webAddress(branding.termsUrl);
  return (
    <Check name="consent" problems={checking.steps.problems}>
      {terms === null ? (
        text
      ) : (
        <a href={terms} target="_blank" rel="noreferrer">
          {text}
        </a>
      )}
    </Check>
  );
}

/** Address fields that the merchant requires. */
function Address({ checking }: Parts) {
  const { checkout, steps } = checking;
  const { addressMode, settings, requiresBillingCountry } = checkout;
  const hasPhone = settings.phone !== 'hidden';
  if (addressMode === 'hidden' && !hasPhone) return null;
  return (
    <Billing
      problems={steps.problems}
      isCountryNeeded={requiresBillingCountry || addressMode === 'required'}
      hasPhone={hasPhone}
      isPhoneNeeded={settings.phone === 'required'}
      asksBusiness
      onPlace={() => {
        void checking.reprice();
        void checking.checkTaxNumber();
      }}
    />
  );
}

/** Payment form with card, address and mandate. */
function PayForm({ checking }: Parts) {
  const page = usePage();
  const isMounted = useMounted();
  const { payment: words, checkout: checkoutWords } = page.words;
  const { checkout, shown, steps, card, choice, missing } = checking;
  const { chosen } = choice;
  const isPush = chosen?.paymentMethod != null;
  const label = isPush
    ? words.showInstructions
    : shown.amountDue === 0
      ? chosen === null
        ? words.saveCard
        : words.saveBankAccount
      : missing === null
        ? words.payAmount({ amount: moneyText(page, shown, shown.amountDue) })
        : words.pay;
  const isShown = checkout.nextStep === 'pay';
  return (
    <form
      id="payment"
      class={isShown ? undefined : styles.away}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        checking.pay();
      }}
    >
      <fieldset id="fields" class={styles.fields} disabled={steps.isBusy}>
        <legend class={styles.legend}>{shown.instruments.length > 1 ? words.method : words.card}</legend>
        <PaymentChoice offered={shown.instruments} chosen={choice.instrument} onChoose={choice.choose} />
        {chosen === null ? (
          <CardEntry card={card} problems={steps.problems} />
        ) : isPush ? null : (
          <BankAccountEntry
            key={choice.instrument}
            offered={chosen}
            merchant={checkout.branding.name}
            problems={steps.problems}
            mark={steps.mark}
          />
        )}
        <Address checking={checking} />
        <Consent checking={checking} />
        <Alert text={isShown ? steps.alert : null} />
        <Button type="submit" id="pay" disabled={!isMounted}>
          {label}
        </Button>
        {chosen === null ? (
          <p id="mandate" class={styles.quiet}>
            {checkoutWords.mandates[checkout.mandate]({ merchant: checkout.branding.name })}
          </p>
        ) : null}
      </fieldset>
    </form>
  );
}

function OpenCheckoutPage({ first }: { readonly first: Checkout }) {
  const page = usePage();
  const checking = useCheckout(first);
  const { checkout, shown, steps, isPaidNow } = checking;
  const isPaid = checkout.status === 'paid';
  const isDone = isPaid && isPaidNow;
  const isOpen = isPayable(checkout);
  const isWaiting = isOpen && isInstructed(checkout.collection);
  const hasForm = useKeepMounted(checkout.nextStep === 'pay', checkout.status === 'open');
  // Terms that the customer accepted. They are kept in a ref, because a completed checkout returns the next charge of
  // the subscription instead, and after a day no charge.
  const agreed = useRef('');
  if (checkout.status === 'open') agreed.current = termsText(page, shown);
  useChanges({
    isOpen: checkout.status === 'open',
    isWaiting: checkout.status === 'open' && (isWaiting || checkout.nextStep === 'wait'),
    document: CheckoutChangedDocument,
    isShown: ({ checkoutChanged: told }) =>
      told.status === checkout.status &&
      told.nextStep === checkout.nextStep &&
      told.collection?.stage === checkout.collection?.stage,
    reload: () => steps.look(checking.reload),
  });
  useHost(checkout.branding.embedOrigins, isDone);
  return (
    <Frame
      branding={checkout.branding}
      isSandbox={!checkout.livemode}
      locales={checkout.locales}
      title={checkout.name}
      ribbon={
        !checkout.livemode && isOpen && checkout.nextStep === 'pay' ? (
          <SandboxCountry onView={() => void checking.reprice()} />
        ) : null
      }
      aside={checkout.status === 'open' ? <Bought checking={checking} /> : null}
    >
      <Status text={statusText(page, checkout, isPaidNow)} working={steps.working} isDone={isPaid} />
      {isDone && agreed.current !== '' ? (
        <p id="next" class={styles.quiet}>
          {agreed.current}
        </p>
      ) : null}
      {isDone ? <Receipt address={checkout.invoiceUrl} /> : null}
      {isPaid ? (
        <Return
          address={checkout.successUrl}
          text={page.words.payment.back({ merchant: checkout.branding.name })}
          isDue={isDone}
        />
      ) : null}
      {checkout.authentication !== null && isOpen ? (
        <Bank authentication={checkout.authentication} steps={steps} onAnswer={checking.answer} />
      ) : null}
      {isWaiting && checkout.collection !== null ? (
        <PayerInstructions collection={checkout.collection} units={checkout} />
      ) : null}
      {hasForm ? (
        <OtherWays isCollapsed={isWaiting}>
          <PayForm checking={checking} />
        </OtherWays>
      ) : null}
      {checkout.nextStep === 'pay' &&
      isOpen &&
      !checkout.livemode &&
      !checking.card.isSaved &&
      checking.choice.chosen === null &&
      !isWaiting &&
      shown.publishableKey === null ? (
        <SandboxCards />
      ) : null}
    </Frame>
  );
}

export function CheckoutPage({ begin }: { readonly begin: Begin<CheckoutPageData> }) {
  const { words } = usePage();
  return begin.data === null ? (
    <NothingToShow
      title={words.payment.title}
      text={begin.isInvalid ? words.invalidLink : words.checkout.unavailable}
    />
  ) : (
    <OpenCheckoutPage first={begin.data.checkout} />
  );
}
