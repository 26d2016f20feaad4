import { dateText } from '../../ui/format/dates.ts';
import { moneyText } from '../../ui/format/money.ts';
import { Button, LinkButton } from '../kit/button.tsx';
import { Callout } from '../kit/callout.tsx';
import { useCopy } from '../kit/copy.tsx';
import { Row, Stack } from '../kit/layout.tsx';
import { useKit } from '../kit/provider.tsx';
import type { SubscriptionTermsFragment } from '../parts/subscription/terms.graphql';
import { useSubscriptionWords } from '../parts/subscription-words.ts';
import { useCommandAddress } from './actions.tsx';
import { useCommandWords } from './fields.tsx';

type Props = { readonly subscription: SubscriptionTermsFragment };

/** Link to the open checkout for a subscription that is pending payment. */
function CheckoutNotice({ url }: { readonly url: string }) {
  const { page: words } = useSubscriptionWords();
  const { copy, isCopied } = useCopy();
  const { words: kit } = useKit();
  return (
    <Callout
      tone="warning"
      actions={
        <Row gap={2}>
          <Button size="sm" onPress={() => copy(url)}>
            {isCopied ? kit.copied : words.copyCheckout}
          </Button>
          <LinkButton size="sm" href={url} target="_blank">
            {words.openCheckout}
          </LinkButton>
        </Row>
      }
    >
      {words.checkoutWaits}
    </Callout>
  );
}

/** Shows the outstanding amount and the time of the next payment retry. */
function DunningNotice({ subscription: { dunning } }: Props) {
  const { page: words } = useSubscriptionWords();
  const commands = useCommandWords();
  const settings = useKit();
  const { open } = useCommandAddress();
  if (!dunning) return null;
  const { invoice, attempts, attemptsLeft, nextAttemptAt } = dunning;
  return (
    <Callout
      tone="negative"
      {...(invoice && {
        title: words.pastDue({
          amount: moneyText(invoice.amountDue, invoice.currency, settings.locale),
          invoice: invoice.invoiceNumber,
        }),
      })}
      actions={
        <Button size="sm" onPress={() => open('retry')}>
          {commands.retry.title}
        </Button>
      }
    >
      {words.attempts({ done: attempts, left: attemptsLeft })}{' '}
      {nextAttemptAt && words.nextAttempt({ date: dateText(nextAttemptAt, settings) })}
    </Callout>
  );
}

/** Notices for subscriptions that need attention, each with a button that resolves the problem. */
export function SubscriptionNotices({ subscription }: Props) {
  const { page: words } = useSubscriptionWords();
  const commands = useCommandWords();
  const settings = useKit();
  const { open } = useCommandAddress();
  const { cancellation, scheduledPlanChange, planGrant, checkoutUrl, status } = subscription;
  const date = (at: string) => dateText(at, settings);
  return (
    <Stack gap={2}>
      {checkoutUrl && status !== 'canceled' && <CheckoutNotice url={checkoutUrl} />}
      <DunningNotice subscription={subscription} />
      {cancellation && status !== 'canceled' && (
        <Callout
          tone="warning"
          title={words.cancels({ date: date(cancellation.effectiveAt) })}
          actions={
            <Button size="sm" onPress={() => open('uncancel')}>
              {commands.uncancel.title}
            </Button>
          }
        >
          {cancellation.reason ? words.canceledBecause({ reason: cancellation.reason }) : undefined}
        </Callout>
      )}
      {scheduledPlanChange && (
        <Callout
          tone="info"
          actions={
            <Button size="sm" onPress={() => open('scheduledChangeRevoke')}>
              {commands.scheduledChangeRevoke.verb}
            </Button>
          }
        >
          {words.changesTo({
            plan: scheduledPlanChange.newPlanName ?? '',
            date: date(scheduledPlanChange.scheduledFor),
          })}
        </Callout>
      )}
      {planGrant && (
        <Callout
          tone="special"
          actions={
            <Button size="sm" onPress={() => open('planGrantRevoke')}>
              {commands.planGrantRevoke.title}
            </Button>
          }
        >
          {planGrant.expiresAt
            ? words.grantedUntil({ plan: planGrant.plan.name, date: date(planGrant.expiresAt) })
            : words.granted({ plan: planGrant.plan.name })}
        </Callout>
      )}
    </Stack>
  );
}
