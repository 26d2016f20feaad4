import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { countryCodes } from '../../domain/countries.ts';
import { countryText, sortedCountries } from '../../ui/format/names.ts';
import { usePage } from '../data/current-page.ts';
import { typed } from '../data/typed.ts';
import type { Problems } from '../data/use-steps.ts';
import { type AddressRule, anyAddress } from './address-rule.ts';
import styles from './billing.module.css';
import { Check, Choice, Field, FieldRow } from './field.tsx';

/** The fields of a billing address and a tax number, in their order. */
export const billingFields = [
  'country',
  'companyName',
  'line1',
  'postalCode',
  'city',
  'state',
  'phone',
  'taxDocument',
] as const;

/** What is stored of an address and a tax number. */
export type StoredBilling = { readonly [Name in (typeof billingFields)[number]]?: string | null };

type BillingProps = {
  readonly problems: Problems;
  /** What stands in the fields at first. */
  readonly stored?: StoredBilling;
  /** What stands below the street. */
  readonly afterStreet?: ComponentChildren;
  /** Whether the country has to be known. */
  readonly isCountryNeeded: boolean;
  /** Whether it has a field for a telephone number. */
  readonly hasPhone?: boolean;
  readonly isPhoneNeeded?: boolean;
  /** Whether it asks if a company buys, and for its name. */
  readonly asksBusiness?: boolean;
  /** The rules of addresses, where they are there from the beginning; loaded where a country is chosen when absent. */
  readonly ruleOf?: (country: string) => AddressRule;
  /** Called when something changed the tax depends on. */
  readonly onPlace: () => void;
};

/** What an address has in a country; what every country may have until that is loaded. */
function useRule(country: string, known: BillingProps['ruleOf']): AddressRule {
  const [loaded, setLoaded] = useState<{ country: string; rule: AddressRule } | null>(null);
  useEffect(() => {
    if (country === '' || known !== undefined) return;
    // Without the rules every field is shown.
    import('./address-rules.ts').then(
      ({ addressRuleOf }) => setLoaded({ country, rule: addressRuleOf(country) }),
      () => undefined,
    );
  }, [country, known]);
  if (known !== undefined) return known(country);
  // What another country had stays until that of this one is there, so that nothing moves twice.
  return country === '' ? anyAddress : (loaded?.rule ?? anyAddress);
}

type PhoneProps = {
  readonly problems: Problems;
  readonly isNeeded: boolean;
  readonly stored: string | null | undefined;
};

function Phone({ problems, isNeeded, stored }: PhoneProps) {
  const { labels } = usePage().words;
  return (
    <Field
      name="phone"
      defaultValue={stored ?? ''}
      label={labels.phone}
      problems={problems}
      type="tel"
      autoComplete="tel"
      maxLength={40}
      required={isNeeded}
    />
  );
}

type PostalProps = Pick<BillingProps, 'problems' | 'stored'> & { readonly rule: AddressRule };

/** The postal code, with what one looks like in the country; another one is only pointed at, since the seller decides. */
function PostalCode({ problems, stored, rule: { postalCode, postalForm } }: PostalProps) {
  const { postalCodes, labels } = usePage().words;
  const [odd, setOdd] = useState('');
  const isOdd = odd !== '' && postalForm?.isLike(odd) === false;
  return (
    <Field
      name="postalCode"
      defaultValue={stored?.postalCode ?? undefined}
      label={postalCodes[postalCode ?? 'postal']}
      problems={problems}
      isHidden={postalCode === null}
      {...(postalForm === null
        ? {}
        : { help: (isOdd ? labels.postalOdd : labels.postalLike)(postalForm.example) })}
      isOdd={isOdd}
      autoComplete="postal-code"
      inputMode={postalForm?.isNumeric === true ? 'numeric' : 'text'}
      maxLength={40}
      onChange={({ currentTarget }) => setOdd(currentTarget.value.trim())}
    />
  );
}

/** The state or province, chosen from a list where the country has one. */
function Region({
  problems,
  stored,
  rule: { region, regions },
  onPlace,
}: PostalProps & Pick<BillingProps, 'onPlace'>) {
  const { words } = usePage();
  const shared = {
    name: 'state',
    label: words.regions[region ?? 'either'],
    problems,
    autoComplete: 'address-level1',
    onChange: onPlace,
  } as const;
  return regions === null ? (
    <Field
      key="typed"
      {...shared}
      defaultValue={stored?.state ?? undefined}
      isHidden={region === null}
      maxLength={200}
    />
  ) : (
    <Choice key={regions[0]?.code} {...shared}>
      <option value="">{words.labels.choose}</option>
      {regions.map(({ code, name }) => (
        <option key={code} value={code} selected={code === stored?.state}>
          {name}
        </option>
      ))}
    </Choice>
  );
}

/** The tax number; where a page asks whether a company buys, only for one, with its name. */
function Business({
  problems,
  stored,
  rule,
  asksBusiness,
  onPlace,
}: PostalProps & Pick<BillingProps, 'asksBusiness' | 'onPlace'>) {
  const { labels } = usePage().words;
  const [isBusiness, setIsBusiness] = useState(asksBusiness !== true);
  return (
    <>
      {asksBusiness ? (
        <Check
          name="business"
          problems={problems}
          required={false}
          onChange={({ currentTarget }) => {
            setIsBusiness(currentTarget.checked);
            // The tax is that of the number typed in, as long as there is one.
            setTimeout(onPlace);
          }}
        >
          {labels.business}
        </Check>
      ) : null}
      {asksBusiness && isBusiness ? (
        <Field
          name="companyName"
          label={labels.companyName}
          problems={problems}
          autoComplete="organization"
          maxLength={200}
        />
      ) : null}
      {isBusiness && rule.hasTaxNumber ? (
        <Field
          name="taxDocument"
          defaultValue={stored?.taxDocument ?? undefined}
          label={labels.taxDocument}
          problems={problems}
          autoComplete="off"
          maxLength={100}
          onChange={onPlace}
        />
      ) : null}
    </>
  );
}

/** The inputs of a billing address and a tax number, those a country has. */
export function BillingFields({
  problems,
  stored = {},
  afterStreet = null,
  isCountryNeeded,
  hasPhone = false,
  isPhoneNeeded = false,
  asksBusiness = false,
  ruleOf,
  onPlace,
}: BillingProps) {
  const { words, language } = usePage();
  const { labels } = words;
  const chosen = stored.country ?? '';
  const [country, setCountry] = useState(chosen);
  const [countries, setCountries] = useState<readonly { code: string; name: string }[]>(
    chosen === '' ? [] : [{ code: chosen, name: countryText(chosen, language) }],
  );
  // The browser has the names of countries in its language, and sorts them.
  useEffect(() => {
    setCountries(sortedCountries(countryCodes, language));
    setCountry(typed('country'));
  }, [language]);
  const rule = useRule(country, ruleOf);
  const shared = { problems, stored, rule };
  return (
    <>
      <Choice
        name="country"
        label={labels.country}
        problems={problems}
        autoComplete="country"
        required={isCountryNeeded}
        onChange={({ currentTarget }) => {
          setCountry(currentTarget.value);
          onPlace();
        }}
      >
        <option value="">{labels.chooseCountry}</option>
        {countries.map(({ code, name }) => (
          <option key={code} value={code} selected={code === chosen}>
            {name}
          </option>
        ))}
      </Choice>
      <Field
        name="line1"
        defaultValue={stored.line1 ?? undefined}
        label={labels.line1}
        problems={problems}
        autoComplete="address-line1"
        maxLength={300}
      />
      {afterStreet}
      <FieldRow>
        <PostalCode {...shared} />
        <Field
          name="city"
          defaultValue={stored.city ?? undefined}
          label={labels.city}
          problems={problems}
          autoComplete="address-level2"
          maxLength={200}
        />
      </FieldRow>
      <Region {...shared} onPlace={onPlace} />
      {hasPhone ? <Phone problems={problems} isNeeded={isPhoneNeeded} stored={stored.phone} /> : null}
      <Business {...shared} asksBusiness={asksBusiness} onPlace={onPlace} />
    </>
  );
}

/** The billing address, folded unless the country has to be known or something is wrong in it. */
export function Billing(props: BillingProps) {
  const { words } = usePage();
  const hasProblem = billingFields.some((name) => (props.problems[name] ?? '') !== '');
  const [isOpen, setIsOpen] = useState(props.isCountryNeeded || props.isPhoneNeeded === true);
  const isShown = isOpen || hasProblem;
  return (
    <details
      id="billing"
      class={styles.billing}
      open={isShown}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary class={styles.summary}>{words.labels.billing}</summary>
      <div class={styles.fields}>
        <BillingFields {...props} />
      </div>
    </details>
  );
}
