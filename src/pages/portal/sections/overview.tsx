import type { ResultOf } from '../../../ui/documents.ts';
import { countText } from '../../../ui/format/numbers.ts';
import { usePage } from '../../data/current-page.ts';
import { dayText, moneyText, rateText, taxText } from '../../format.ts';
import { Button } from '../../parts/button.tsx';
import { webAddress } from '../../parts/frame.tsx';
import { Meters } from '../meters.tsx';
import { Actions, Badge, Card, NumberCell, Plain, Quiet, Reason, Table } from '../parts.tsx';
import { KeepPlanButton, scheduledChange } from '../pending.tsx';
import styles from '../portal.module.css';
import { useOwn } from '../portal-words.ts';
import { UndoButton } from '../retention-offer.tsx';
import { SectionButton } from '../section-link.tsx';
import { ReactivateDocument, RetryDocument } from '../steps.graphql';
import { priceText, type Speaking, type Standing } from '../texts.ts';
import { type SectionProps, sectionOf } from './kind.ts';
import { OverviewSectionDocument } from './overview.graphql';

type Portal = ResultOf<typeof OverviewSectionDocument>['portal'];
type Subscription = NonNullable<Portal['subscription']>;

const tones = {
  draft: 'plain',
  pending_payment: 'plain',
  trialing: 'good',
  active: 'good',
  past_due: 'bad',
  canceled: 'plain',
} as const;

/** Returns a subscription's dates with their labels. */
function factsOf({ page, own }: Speaking, subscription: Standing): [string, string][] {
  const { facts } = own;
  const { status, cancellation, endDate, trialEndsAt, nextBillingDate } = subscription;
  const day = (instant: string): string => dayText(page, instant);
  const list: [string, string][] = [];
  if (subscription.name !== subscription.planName) list.push([facts.plan, subscription.planName]);
  if (status === 'draft') list.push([facts.startsOn, day(subscription.startDate)]);
  if (status === 'trialing' && trialEndsAt !== null) list.push([facts.trialUntil, day(trialEndsAt)]);
  if (nextBillingDate !== null)
    list.push([status === 'past_due' ? facts.nextAttempt : facts.nextPayment, day(nextBillingDate)]);
  if (cancellation !== null) list.push([facts.endsOn, day(cancellation.effectiveAt)]);
  else if (status === 'canceled' && endDate !== null) list.push([facts.endedOn, day(endDate)]);
  else if (status === 'active' && subscription.billingInterval === 'one_time')
    list.push([facts.valid, facts.forGood]);
  const scheduled = scheduledChange({ page, own }, subscription);
  if (scheduled !== null) list.push([facts.changes, facts.changesTo(scheduled)]);
  return list;
}

/** Buttons that change, cancel or keep the subscription. */
function PlanActions({ portal, actions }: SectionProps<Portal>) {
  const own = useOwn();
  const { overview } = own;
  const { subscription, settings } = portal;
  if (subscription === null) return null;
  const { isBusy } = actions.steps;
  const { canReactivate, cancellation, scheduledPlanChange, canCancel } = subscription;
  const address = webAddress(subscription.checkoutUrl);
  const { buy } = actions;
  return (
    <div id="plan-actions">
      <Actions>
        {address === null ? null : (
          <a id="complete" class={styles.button} href={address}>
            {overview.complete}
          </a>
        )}
        {canReactivate && settings.reactivate ? (
          <Button
            id="comeback"
            disabled={isBusy}
            onClick={() =>
              buy({
                action: 'reactivate',
                mutation: ReactivateDocument,
                input: {},
                title: overview.comebackTitle,
                label: overview.comeback,
                done: overview.comebackDone,
              })
            }
          >
            {overview.comeback}
          </Button>
        ) : null}
        {cancellation === null ? null : <UndoButton actions={actions} />}
        {scheduledPlanChange === null ? null : <KeepPlanButton actions={actions} />}
        {settings.changePlan ? (
          <SectionButton name="plan" actions={actions} id="change-plan">
            {overview.changePlan}
          </SectionButton>
        ) : null}
        {canCancel && settings.cancel ? (
          <SectionButton name="cancel" actions={actions} id="cancel">
            {overview.cancel}
          </SectionButton>
        ) : null}
      </Actions>
    </div>
  );
}

/** Shows the outstanding amount and the ways to pay it. */
function Owed({ portal, actions }: SectionProps<Portal>) {
  const page = usePage();
  const { overview } = useOwn();
  const { subscription } = portal;
  if (subscription === null || subscription.outstandingAmount === null) return null;
  const { outstandingAmount: owed, currency, nextRetryAt, accessEndsAt } = subscription;
  const amount = moneyText(page, subscription, owed);
  const text = [
    overview.owedText({ amount }),
    ...(nextRetryAt === null ? [] : [overview.retriedOn({ day: dayText(page, nextRetryAt) })]),
    ...(accessEndsAt === null ? [] : [overview.accessEnds({ day: dayText(page, accessEndsAt) })]),
  ].join(' ');
  const pay = (readCard: Parameters<NonNullable<typeof actions.asking>['act']>[0]): void =>
    actions.attempt(async () => actions.send('retry', RetryDocument, { ...(await readCard?.()) }), {
      done: overview.paid,
      isCardTyped: readCard !== null,
    });
  const askForCard = (): void =>
    actions.ask({
      title: overview.payOther,
      text: overview.payOtherText,
      label: overview.payNow,
      cardFor: { amount: owed, currency },
      act: pay,
    });
  const { isBusy } = actions.steps;
  return (
    <Card id="owed" title={overview.owed}>
      <p id="owed-text">{text}</p>
      <Actions>
        <Button id="pay-owed" disabled={isBusy} onClick={() => pay(null)}>
          {page.words.payment.payAmount({ amount })}
        </Button>
        <Button kind="quiet" id="pay-otherwise" disabled={isBusy} onClick={askForCard}>
          {overview.payOther}
        </Button>
      </Actions>
    </Card>
  );
}

/** Shows the next invoice with an explanation of each line item. */
function NextInvoice({ subscription }: { readonly subscription: Subscription }) {
  const page = usePage();
  const own = useOwn();
  const { overview, reasons } = own;
  const { nextCharge } = subscription;
  if (nextCharge === null) return null;
  const amount = moneyText(page, nextCharge, nextCharge.amount);
  const { tax } = nextCharge;
  return (
    <Card id="next" title={overview.next}>
      <p id="next-text">{overview.nextOn({ amount, day: dayText(page, nextCharge.date) })}</p>
      <Table
        label={overview.next}
        head={[overview.what, overview.amount]}
        foot={
          <tfoot>
            <tr>
              <th scope="row">{overview.total}</th>
              <NumberCell>{amount}</NumberCell>
            </tr>
          </tfoot>
        }
      >
        {nextCharge.lineItems.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: Line items can have the same text.
          <tr key={index}>
            <th scope="row">
              {line.quantity > 1
                ? `${line.label} (${overview.each({
                    quantity: countText(line.quantity, page.language),
                    price: rateText(
                      page,
                      nextCharge,
                      Math.round((line.unitAmount * 10_000) / 10 ** nextCharge.currencyDecimals),
                    ),
                  })})`
                : line.label}
              <Reason>
                {/* The explanation of the formula `price` would only repeat the price in the next cell. */}
                {line.formula === 'price' ? reasons[line.lineType] : `${reasons[line.lineType]} ${line.why}`}
              </Reason>
            </th>
            <NumberCell>{moneyText(page, nextCharge, line.amount)}</NumberCell>
          </tr>
        ))}
        {tax.amount === 0 ? null : (
          <tr>
            <th scope="row">
              {taxText(page, tax)}
              <Reason>{reasons.tax}</Reason>
            </th>
            <NumberCell>{moneyText(page, nextCharge, tax.amount)}</NumberCell>
          </tr>
        )}
      </Table>
      {nextCharge.isFinal ? null : <Quiet>{overview.notFinal}</Quiet>}
    </Card>
  );
}

function Overview({ portal, actions }: SectionProps<Portal>) {
  const page = usePage();
  const own = useOwn();
  const { subscription } = portal;
  if (subscription === null)
    return (
      <Plain>
        <h2 id="plan-title" class={styles.subtitle}>
          {own.none}
        </h2>
        <Quiet id="no-plan">{own.noneText}</Quiet>
      </Plain>
    );
  const isEnding = subscription.cancellation !== null;
  const { status } = subscription;
  return (
    <>
      <Card
        id="plan"
        title={subscription.name}
        mark={
          <Badge id="plan-status" tone={isEnding ? 'bad' : tones[status]}>
            {isEnding ? own.statuses.ending : own.statuses[status]}
          </Badge>
        }
      >
        <p id="plan-price" class={styles.price}>
          {priceText({ page, own }, subscription)}
        </p>
        <dl id="plan-facts" class={styles.facts}>
          {factsOf({ page, own }, subscription).flatMap(([term, text]) => [
            <dt key={`${term} is`}>{term}</dt>,
            <dd key={term}>{text}</dd>,
          ])}
        </dl>
        <PlanActions portal={portal} actions={actions} />
      </Card>
      <Owed portal={portal} actions={actions} />
      <NextInvoice subscription={subscription} />
      {subscription.features.length === 0 ? null : (
        <Card id="used" title={own.overview.used}>
          <Meters subscription={subscription} />
        </Card>
      )}
    </>
  );
}

/** Section with the subscription, outstanding amount and next charge. */
export const overview = sectionOf(OverviewSectionDocument, Overview);
