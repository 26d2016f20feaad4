import { type Language, languages } from '../../../domain/text/language.ts';
import { Checkbox, Switch } from '../../kit/choice.tsx';
import { FormGrid } from '../../kit/form.tsx';
import { Card, Stack } from '../../kit/layout.tsx';
import { NumberField } from '../../kit/number-field.tsx';
import { Select } from '../../kit/select.tsx';
import { Text } from '../../kit/text.tsx';
import { TextArea, TextField } from '../../kit/text-field.tsx';
import { useWords } from '../../words/words.ts';
import { RenewalFields } from './parts/renewal-fields.tsx';
import { RetentionCard } from './parts/retention-card.tsx';
import { RetryFields } from './parts/retry-fields.tsx';
import { type Draft, type OrganizationSettings, SettingsPage } from './parts/settings-page.tsx';
import { linesOf, numbersOf, withLines } from './settings-input.ts';

const read = ({ portal, checkout, ...organization }: OrganizationSettings) => ({
  cancel: portal.cancel,
  changePlan: portal.changePlan,
  purchase: portal.purchase,
  seats: portal.seats,
  reactivate: portal.reactivate,
  updateDetails: portal.updateDetails,
  updatePaymentMethod: portal.updatePaymentMethod,
  customerLimits: portal.customerLimits,
  customerAutoTopUp: portal.customerAutoTopUp,
  cancelReasons: portal.cancelReasons.join('\n'),
  addressMode: checkout.addressMode,
  phone: checkout.phone,
  consent: checkout.consent,
  promoCodes: checkout.promoCodes,
  savedCards: checkout.savedCards,
  bankDebits: checkout.bankDebits,
  pushPayments: checkout.pushPayments,
  oneTrialPerCustomer: organization.oneTrialPerCustomer,
  checkoutExpiryHours: organization.checkoutExpiryHours,
  collectByPayer: organization.collectByPayer,
  collectionDueDays: organization.collectionDueDays,
  retryDays: organization.retryDays.join(', '),
  lastRetryAction: organization.lastRetryAction,
  supportEmail: organization.supportEmail ?? '',
  supportUrl: organization.supportUrl ?? '',
  termsUrl: organization.termsUrl ?? '',
  privacyUrl: organization.privacyUrl ?? '',
  slug: organization.slug ?? '',
  pageLanguages: [...organization.pageLanguages],
  returnOrigins: organization.returnOrigins.join('\n'),
  embedOrigins: organization.embedOrigins.join('\n'),
});

type Values = ReturnType<typeof read>;

/** URL scheme shown before the typed text. */
const scheme = 'https://';

const inPortal = [
  'changePlan',
  'cancel',
  'reactivate',
  'purchase',
  'customerAutoTopUp',
  'customerLimits',
  'seats',
  'updatePaymentMethod',
  'updateDetails',
] as const;

const inCheckout = [
  'addressMode',
  'phone',
  'consent',
  'promoCodes',
  'savedCards',
  'bankDebits',
  'pushPayments',
] as const;

const picked = (changes: Partial<Values>, names: readonly (keyof Values)[]): Partial<Values> =>
  Object.fromEntries(Object.entries(changes).filter(([name]) => names.includes(name as keyof Values)));

/** The API has separate inputs for the settings of the portal and the checkout. */
function write(changes: Partial<Values>): Readonly<Record<string, unknown>> {
  const { cancelReasons, retryDays } = changes;
  const portal = {
    ...picked(changes, inPortal),
    ...('cancelReasons' in changes && { cancelReasons: linesOf(cancelReasons ?? '') }),
  };
  const checkout = picked(changes, inCheckout);
  const others = Object.entries(changes).filter(
    ([name]) => !([...inPortal, ...inCheckout, 'cancelReasons'] as string[]).includes(name),
  );
  return {
    ...withLines(Object.fromEntries(others) as Partial<Values>, ['returnOrigins', 'embedOrigins']),
    ...('retryDays' in changes && { retryDays: numbersOf(retryDays ?? '') }),
    ...(Object.keys(portal).length > 0 && { portal }),
    ...(Object.keys(checkout).length > 0 && { checkout }),
  };
}

/** Fields for the actions that customers can take in the portal. */
function PortalFields({ values, change }: Draft<Values>) {
  const { pages: words } = useWords('settings');
  return (
    <Card title={words.portal}>
      <Stack gap={3}>
        {inPortal.map((name) => (
          <Switch
            key={name}
            isSelected={values[name]}
            onChange={(isOn) => change({ [name]: isOn })}
            help={words.portalHelp[name]}
          >
            {words.portalParts[name]}
          </Switch>
        ))}
        <TextArea
          name="cancelReasons"
          label={words.cancelReasons}
          help={words.cancelReasonsHelp}
          value={values.cancelReasons}
          onChange={(cancelReasons) => change({ cancelReasons })}
          rows={4}
          isOptional
        />
      </Stack>
    </Card>
  );
}

/** Fields for the data that the checkout collects. */
function CheckoutFields({ values, change }: Draft<Values>) {
  const { pages: words } = useWords('settings');
  return (
    <Card title={words.checkout}>
      <Stack gap={4}>
        <FormGrid>
          <Select
            name="addressMode"
            label={words.addressMode}
            value={values.addressMode}
            onChange={(mode) => change({ addressMode: mode as Values['addressMode'] })}
            options={(['auto', 'always', 'never'] as const).map((value) => ({
              value,
              label: words.addressModes[value],
            }))}
          />
          <Select
            name="phone"
            label={words.phone}
            value={values.phone}
            onChange={(mode) => change({ phone: mode as Values['phone'] })}
            options={(['hidden', 'optional', 'required'] as const).map((value) => ({
              value,
              label: words.phoneModes[value],
            }))}
          />
        </FormGrid>
        <Switch isSelected={values.promoCodes} onChange={(promoCodes) => change({ promoCodes })}>
          {words.promoCodes}
        </Switch>
        <Switch
          isSelected={values.savedCards}
          onChange={(savedCards) => change({ savedCards })}
          help={words.savedCardsHelp}
        >
          {words.savedCards}
        </Switch>
        <Switch
          isSelected={values.bankDebits}
          onChange={(bankDebits) => change({ bankDebits })}
          help={words.bankDebitsHelp}
        >
          {words.bankDebits}
        </Switch>
        <Switch
          isSelected={values.pushPayments}
          onChange={(pushPayments) => change({ pushPayments })}
          help={words.pushPaymentsHelp}
        >
          {words.pushPayments}
        </Switch>
        <Switch
          isSelected={values.consent}
          onChange={(consent) => change({ consent })}
          help={words.consentHelp}
        >
          {words.consent}
        </Switch>
        <Switch
          isSelected={values.oneTrialPerCustomer}
          onChange={(oneTrialPerCustomer) => change({ oneTrialPerCustomer })}
          help={words.oneTrialPerCustomerHelp}
        >
          {words.oneTrialPerCustomer}
        </Switch>
        <NumberField
          name="checkoutExpiryHours"
          label={words.checkoutExpiryHours}
          help={words.checkoutExpiryHoursHelp}
          value={values.checkoutExpiryHours ?? Number.NaN}
          onChange={(hours) => change({ checkoutExpiryHours: Number.isNaN(hours) ? null : hours })}
          minValue={1}
          maxValue={8_760}
          isOptional
        />
      </Stack>
    </Card>
  );
}

/** Fields for the links, languages and URLs of the portal and the checkout. */
function LinkFields({ values, change }: Draft<Values>) {
  const { pages: words, languages: names } = useWords('settings');
  const text = (
    name:
      | 'supportEmail'
      | 'supportUrl'
      | 'termsUrl'
      | 'privacyUrl'
      | 'slug'
      | 'returnOrigins'
      | 'embedOrigins',
  ) => ({
    name,
    label: words[name],
    value: values[name],
    onChange: (value: string) => change({ [name]: value }),
    isOptional: true,
  });
  const offer = (language: Language, isOffered: boolean) =>
    change({
      pageLanguages: languages.filter((each) =>
        each === language ? isOffered : values.pageLanguages.includes(each),
      ),
    });
  return (
    <>
      <Card title={words.links}>
        <FormGrid>
          <TextField {...text('supportEmail')} type="email" />
          <TextField {...text('supportUrl')} type="url" placeholder={scheme} />
          <TextField {...text('termsUrl')} type="url" placeholder={scheme} />
          <TextField {...text('privacyUrl')} type="url" placeholder={scheme} />
        </FormGrid>
      </Card>
      <Card title={words.addresses}>
        <Stack gap={4}>
          <Stack gap={2}>
            <Text weight="medium">{words.languages}</Text>
            {languages.map((each) => (
              <Checkbox
                key={each}
                isSelected={values.pageLanguages.includes(each)}
                isDisabled={values.pageLanguages.length === 1 && values.pageLanguages[0] === each}
                onChange={(isOffered) => offer(each, isOffered)}
              >
                {names[each]}
              </Checkbox>
            ))}
          </Stack>
          <TextField {...text('slug')} help={words.slugHelp} code />
          <TextArea {...text('returnOrigins')} help={words.returnOriginsHelp} code rows={2} />
          <TextArea {...text('embedOrigins')} help={words.embedOriginsHelp} code rows={2} />
        </Stack>
      </Card>
    </>
  );
}

export default function CustomerPagesPage() {
  const title = useWords('titles').customerPages;
  const { pages: words } = useWords('settings');
  return (
    <SettingsPage title={title} text={words.text} read={read} write={write}>
      {(draft) => (
        <>
          <PortalFields {...draft} />
          <RetentionCard />
          <CheckoutFields {...draft} />
          <RenewalFields {...draft} />
          <RetryFields {...draft} />
          <LinkFields {...draft} />
        </>
      )}
    </SettingsPage>
  );
}
