import type { ResultOf } from '../../../ui/documents.ts';
import { usePage } from '../../data/current-page.ts';
import { typed, typedAddress } from '../../data/field-values.ts';
import { addressRuleOf } from '../../parts/address-rules.ts';
import { BillingFields } from '../../parts/billing.tsx';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';
import { buyerText } from '../../parts/party.ts';
import section from '../../parts/section.module.css';
import { Plain, Quiet } from '../parts.tsx';
import styles from '../portal.module.css';
import { useOwn } from '../portal-words.ts';
import { DetailsDocument } from '../steps.graphql';
import { DetailsSectionDocument } from './details.graphql';
import { type SectionProps, sectionOf } from './kind.ts';

type Portal = ResultOf<typeof DetailsSectionDocument>['portal'];
type Customer = Portal['customer'];

/**
 * Returns the entered details, with `null` for cleared fields. Address fields that the form doesn't have keep their stored values while the country
 * doesn't change.
 */
function typedDetails({ address }: Customer) {
  const place = typedAddress();
  const region = address?.region ?? null;
  const kept = region !== null && place?.country === address?.country ? { region } : {};
  return {
    fullName: typed('fullName'),
    address: place === null ? null : { line1: '', city: '', postalCode: '', ...place, ...kept },
    taxDocument: typed('taxDocument') || null,
  };
}

function DetailsForm({ portal, actions }: SectionProps<Portal>) {
  const { details: words } = useOwn();
  const { customer } = portal;
  const { steps } = actions;
  const save = (): void =>
    actions.attempt(async () => actions.send('details', DetailsDocument, typedDetails(customer)), {
      done: words.saved,
    });
  return (
    <form
      id="billing-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <fieldset class={section.fields} disabled={steps.isBusy}>
        <legend class={section.legend}>{words.legend}</legend>
        <Field
          name="fullName"
          label={words.fullName}
          problems={steps.problems}
          defaultValue={customer.fullName}
          autoComplete="name"
          maxLength={300}
        />
        <BillingFields
          ruleOf={addressRuleOf}
          problems={steps.problems}
          stored={{ ...customer.address, taxDocument: customer.taxDocument }}
          afterStreet={
            <Field
              name="line2"
              label={words.line2}
              problems={steps.problems}
              defaultValue={customer.address?.line2 ?? ''}
              autoComplete="address-line2"
              maxLength={300}
            />
          }
          isCountryNeeded={false}
          hasPhone
          onPlace={() => undefined}
        />
        <Button type="submit" id="save-details">
          {words.save}
        </Button>
      </fieldset>
    </form>
  );
}

function Details({ portal, actions }: SectionProps<Portal>) {
  const { language, merchant } = usePage();
  const { details: words } = useOwn();
  const { customer, settings } = portal;
  return (
    <>
      <Plain>
        <p id="billing-summary" class={styles.lines}>
          {buyerText({ ...customer, name: customer.fullName }, words.taxNumber, language)}
        </p>
      </Plain>
      <Plain>
        <Quiet>{settings.updateDetails ? words.text : words.off({ merchant })}</Quiet>
        {settings.updateDetails ? (
          // A new React key resets the fields to the stored values.
          <DetailsForm key={JSON.stringify(customer)} portal={portal} actions={actions} />
        ) : null}
      </Plain>
    </>
  );
}

/** Section with the billing details of the customer. */
export const details = sectionOf(DetailsSectionDocument, Details);
