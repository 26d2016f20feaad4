import { languages } from '../../../domain/text/language.ts';
import { Switch } from '../../kit/choice.tsx';
import { FormGrid, FormWide } from '../../kit/form.tsx';
import { Card, Stack } from '../../kit/layout.tsx';
import { Select } from '../../kit/select.tsx';
import { TextArea, TextField } from '../../kit/text-field.tsx';
import { CountryField } from '../../parts/country-field.tsx';
import { useWords } from '../../words/words.ts';
import { ArchiveCard } from './parts/archive-card.tsx';
import { type Draft, type OrganizationSettings, SettingsPage } from './parts/settings-page.tsx';

const read = (organization: OrganizationSettings) => ({
  name: organization.name,
  country: organization.country ?? '',
  businessType: organization.businessType ?? '',
  issuerName: organization.issuerName ?? '',
  issuerAddress: organization.issuerAddress ?? '',
  issuerTaxId: organization.issuerTaxId ?? '',
  statementDescriptor: organization.statementDescriptor ?? '',
  language: organization.language,
  notificationEmail: organization.notificationEmail ?? '',
  creditOrder: organization.creditOrder,
  refundTakesBack: organization.refundTakesBack,
});

type Values = ReturnType<typeof read>;

/** Fields for the organization's name, country, document details, alert address, credits and refunds. */
function Fields({ values, change }: Draft<Values>) {
  const { organization: words, languages: names } = useWords('settings');
  const text = (name: Exclude<keyof Values, 'language' | 'creditOrder' | 'refundTakesBack'>) => ({
    name,
    label: words[name],
    value: values[name],
    onChange: (value: string) => change({ [name]: value }),
  });
  return (
    <>
      <Card title={words.about}>
        <FormGrid>
          <TextField {...text('name')} help={words.nameHelp} maxLength={200} isRequired />
          <TextField {...text('businessType')} help={words.businessTypeHelp} maxLength={200} isOptional />
          <CountryField {...text('country')} />
          <TextField
            {...text('statementDescriptor')}
            help={words.statementDescriptorHelp}
            maxLength={22}
            isOptional
          />
        </FormGrid>
      </Card>
      <Card title={words.issuer}>
        <FormGrid>
          <TextField {...text('issuerName')} help={words.issuerNameHelp} maxLength={200} isOptional />
          <TextField {...text('issuerTaxId')} maxLength={100} isOptional />
          <FormWide>
            <TextArea
              {...text('issuerAddress')}
              help={words.issuerAddressHelp}
              maxLength={1_000}
              rows={4}
              isOptional
            />
          </FormWide>
        </FormGrid>
      </Card>
      <Card title={words.contact}>
        <FormGrid>
          <Select
            name="language"
            label={words.language}
            help={words.languageHelp}
            value={values.language}
            onChange={(language) => change({ language: language as Values['language'] })}
            options={languages.map((value) => ({ value, label: names[value] }))}
          />
          <TextField
            {...text('notificationEmail')}
            type="email"
            help={words.notificationEmailHelp}
            isOptional
          />
        </FormGrid>
      </Card>
      <Card title={words.prepaid}>
        <Stack gap={4}>
          <Select
            name="creditOrder"
            label={words.creditOrder}
            help={words.creditOrderHelp}
            value={values.creditOrder}
            onChange={(order) => change({ creditOrder: order as Values['creditOrder'] })}
            options={(['oldest', 'soonest_expiry'] as const).map((value) => ({
              value,
              label: words.creditOrders[value],
            }))}
          />
          <Switch
            isSelected={values.refundTakesBack}
            onChange={(refundTakesBack) => change({ refundTakesBack })}
            help={words.refundTakesBackHelp}
          >
            {words.refundTakesBack}
          </Switch>
        </Stack>
      </Card>
    </>
  );
}

/** Settings for the organization's name, country, document details, language, alerts, credits and refunds. */
export default function OrganizationPage() {
  const title = useWords('titles').organization;
  const { organization: words } = useWords('settings');
  return (
    <SettingsPage
      title={title}
      text={words.text}
      read={read}
      below={({ id, name }) => <ArchiveCard id={id} name={name} />}
    >
      {(draft) => <Fields {...draft} />}
    </SettingsPage>
  );
}
