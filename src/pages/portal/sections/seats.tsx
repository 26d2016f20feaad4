import { countText } from '../../../ui/format/numbers.ts';
import { usePage } from '../../data/current-page.ts';
import { fieldElement, typed } from '../../data/typed.ts';
import { rateText } from '../../format.ts';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { useOwn } from '../own.ts';
import { Plain, Quiet } from '../parts.tsx';
import styles from '../portal.module.css';
import { PlainSectionDocument } from '../standing.graphql';
import { SetSeatsDocument } from '../steps.graphql';
import type { Standing } from '../texts.ts';
import type { PortalActions } from '../use-portal.ts';
import { type SectionProps, sectionOf } from './kind.ts';

type Feature = Extract<Standing['features'][number], { readonly usage: object }>;

type SeatsProps = {
  readonly feature: Feature;
  readonly subscription: Standing;
  readonly actions: PortalActions;
};

function SeatsForm({ feature: { code, name, usage }, subscription, actions }: SeatsProps) {
  const page = usePage();
  const { seats: words } = useOwn();
  const field = `seats-${code}`;
  const count = (value: number): string => countText(value, page.language);
  const { steps } = actions;
  const submit = (): void => {
    const text = typed(field);
    const isWhole = /^\d{1,9}$/.test(text);
    steps.mark(field, isWhole ? '' : words.problem);
    if (!isWhole) return fieldElement(field)?.focus();
    const wanted = Number(text);
    actions.buy({
      action: 'seatsSet',
      mutation: SetSeatsDocument,
      input: { featureCode: code, count: wanted },
      title: words.title(count(wanted), name),
      label: words.save,
      done: words.done,
    });
  };
  const price =
    usage.overageUnitPrice === null ? [] : [words.each(rateText(page, subscription, usage.overageUnitPrice))];
  return (
    <form
      id={`form-${code}`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <fieldset class={styles.form} disabled={steps.isBusy} aria-label={name}>
        <Field
          key={usage.current}
          name={field}
          label={words.label(name)}
          problems={steps.problems}
          inputMode="numeric"
          autoComplete="off"
          maxLength={9}
          defaultValue={String(usage.current)}
        />
        <Quiet>{[words.included(count(usage.included)), ...price].join(', ')}</Quiet>
        <Button type="submit" kind="quiet">
          {words.save}
        </Button>
      </fieldset>
    </form>
  );
}

function Seats({ portal, actions }: SectionProps) {
  const { seats: words } = useOwn();
  const { subscription, settings } = portal;
  const features = (subscription?.features ?? []).filter(
    (feature): feature is Feature => feature.type === 'seats' && 'usage' in feature,
  );
  if (subscription === null || !settings.seats || features.length === 0)
    return (
      <Plain>
        <Quiet>{words.none}</Quiet>
      </Plain>
    );
  return (
    <Plain>
      <Quiet>{words.text}</Quiet>
      {features.map((feature) => (
        <SeatsForm key={feature.code} feature={feature} subscription={subscription} actions={actions} />
      ))}
    </Plain>
  );
}

/** How many seats there are. */
export const seats = sectionOf(PlainSectionDocument, Seats);
