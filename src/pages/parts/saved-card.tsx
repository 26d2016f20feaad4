import { usePage } from '../data/current-page.ts';
import type { PageActions } from '../data/use-page-actions.ts';
import { Button } from './button.tsx';
import { brandNames } from './card-brands.ts';
import styles from './choices.module.css';
import { Field } from './field.tsx';
import { lazyView } from './lazy-view.tsx';
import section from './section.module.css';
import type { Card, SavedMethod } from './use-card.ts';

type SavedProps = { readonly card: Card; readonly saved: SavedMethod } & Pick<PageActions, 'problems'>;

/** Radio button for a payment option. */
const Option = ({
  id,
  label,
  isChosen,
  onChoose,
}: {
  readonly id: string;
  readonly label: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}) => (
  <label class={styles.option}>
    <input type="radio" name="saved" id={id} checked={isChosen} onChange={onChoose} />
    <span>{label}</span>
  </label>
);

type StripeCodeProps = { readonly card: Card; readonly publishableKey: string; readonly help: string };

/** Stripe's field for the security code, loaded on demand. */
const LazyCodeField = lazyView<StripeCodeProps>(async () => (await import('./stripe-parts.ts')).StripeCode);

/** Field for the security code of the saved card. */
function Code({ card, saved, problems }: SavedProps) {
  const { payment, labels, sandbox } = usePage().words;
  const { publishableKey } = saved;
  const why = saved.codesLeft < 3 ? payment.codesLeft({ count: saved.codesLeft }) : payment.codeWhy;
  return (
    <>
      {publishableKey === null ? (
        <Field
          name="cvc"
          label={labels.cvc}
          problems={problems}
          help={card.isSandbox ? `${why} ${sandbox.savedCode}` : why}
          inputMode="numeric"
          autoComplete="cc-csc"
          maxLength={saved.brand === 'amex' ? 4 : 3}
          required
        />
      ) : (
        <LazyCodeField card={card} publishableKey={publishableKey} help={why} />
      )}
      {card.steps.isDeclined ? (
        <Button kind="quiet" id="other-card" onClick={() => card.chooseSaved(false)}>
          {payment.otherCard}
        </Button>
      ) : null}
    </>
  );
}

/** Selects between the customer's saved card, which requires its security code, and another card. */
export function SavedCard(props: SavedProps) {
  const { card, saved } = props;
  const { payment } = usePage().words;
  const names: Readonly<Record<string, string>> = brandNames;
  const name = `${names[saved.brand] ?? saved.brand} •••• ${saved.last4}`;
  const expiry = `${String(saved.expMonth).padStart(2, '0')}/${saved.expYear % 100}`;
  return (
    <div class={section.fields} role="radiogroup" aria-label={payment.card}>
      <Option
        id="saved-card"
        label={payment.savedCard({ card: name, expiry })}
        isChosen={card.isSaved}
        onChoose={() => card.chooseSaved(true)}
      />
      {card.isSaved ? <Code {...props} /> : null}
      <Option
        id="another-card"
        label={payment.anotherCard}
        isChosen={!card.isSaved}
        onChoose={() => card.chooseSaved(false)}
      />
    </div>
  );
}
