import { usePage } from '../data/current-page.ts';
import { moneyText } from '../format.ts';
import { Button } from '../parts/button.tsx';
import { idOf, type Props, type TopUp, useAccountAmount } from './auto-top-up-entries.ts';
import { AutoTopUpForm } from './auto-top-up-form.tsx';
import { Actions, Card, Quiet } from './parts.tsx';
import styles from './portal.module.css';
import { useOwn } from './portal-words.ts';
import { RemoveAutoTopUpDocument } from './steps.graphql';

/** Returns the sentence with the threshold and the purchase of a top-up. */
function useTermsText(props: Omit<Props, 'topUp'>) {
  const page = usePage();
  const { autoTopUp: words } = useOwn();
  const { textOf } = useAccountAmount(props);
  return ({ threshold, refill }: TopUp): string => {
    const limit = textOf(threshold);
    if (refill.amount !== null)
      return words.terms({ threshold: limit, amount: moneyText(page, props, refill.amount) });
    if (refill.target !== null) return words.targetTerms({ threshold: limit, target: textOf(refill.target) });
    const pack = props.packs?.find(({ creditPackId }) => creditPackId === refill.creditPackId)?.name;
    const quantity = refill.quantity ?? 1;
    return pack === undefined
      ? words.packTerms({ threshold: limit, count: quantity })
      : words.packTermsOf({ threshold: limit, pack, count: quantity });
  };
}

/** Card with the automatic top-up of an account: its terms, the purchases of the month, and the reason if it doesn't buy. */
export function AutoTopUp({ topUp, ...props }: Props) {
  const page = usePage();
  const { autoTopUp: words } = useOwn();
  const termsOf = useTermsText(props);
  const { isOffered, packs, actions } = props;
  const money = (amount: number): string => moneyText(page, props, amount);
  if (topUp === undefined || topUp.status === 'off') {
    if (!isOffered || packs?.length === 0) return null;
    return (
      <Card id={idOf(props, 'auto-topup')} title={words.title}>
        <Quiet>{packs === null ? words.about : words.aboutUnits}</Quiet>
        <AutoTopUpForm {...props} />
      </Card>
    );
  }
  const { maxPerMonth: most, maxAmountPerMonth, reason, usedThisMonth } = topUp;
  return (
    <Card id={idOf(props, 'auto-topup')} title={words.title}>
      <p id={idOf(props, 'auto-topup-terms')}>{termsOf(topUp)}</p>
      <p id={idOf(props, 'auto-topup-use')} class={styles.quiet}>
        {words.used({
          count: usedThisMonth.count,
          most,
          amount: money(usedThisMonth.amount),
          limit: money(maxAmountPerMonth),
        })}
      </p>
      {reason === null ? null : (
        <p id={idOf(props, 'auto-topup-reason')} role="status">
          {topUp.status === 'paused' ? words.paused : words.waiting} {words.reasons[reason]}
        </p>
      )}
      <Actions>
        <Button
          kind="quiet"
          disabled={actions.steps.isBusy}
          onClick={() =>
            actions.attempt(
              async () => actions.send('autoTopUpRemove', RemoveAutoTopUpDocument, { asset: topUp.asset }),
              { done: words.turnedOff },
            )
          }
        >
          {words.turnOff}
        </Button>
      </Actions>
    </Card>
  );
}
