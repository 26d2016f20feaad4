import { dateText, dayStart } from '../../ui/format/dates.ts';
import { moneyText } from '../../ui/format/money.ts';
import { Stack } from '../kit/layout.tsx';
import { useKit } from '../kit/provider.tsx';
import { Text } from '../kit/text.tsx';
import { defineCommand, type FieldsProps } from './command.ts';
import { CommandLotExpirySetDocument } from './commands.graphql';
import { useCommandWords } from './fields.tsx';
import { DateField } from './lazy-fields.ts';
import { assetsOf, canExpire, hasLots, LotField, useLots, useLotText } from './lots.tsx';

type Values = { readonly id: string; readonly expires: string | null };

function Fields({ values, change, subject }: FieldsProps<Values>) {
  const { lotExpirySet: words } = useCommandWords();
  return (
    <>
      <LotField subject={subject} value={values.id} isOffered={canExpire} onChange={(id) => change({ id })} />
      <DateField
        name="expiresAt"
        label={words.expires}
        help={words.expiresHelp}
        isOptional
        value={values.expires}
        onChange={(expires) => change({ expires })}
      />
    </>
  );
}

/** Shows the current and the new end of the lot, and the worth of a purchased lot. */
function Consequence({ values, subject }: FieldsProps<Values>) {
  const { lotExpirySet: words } = useCommandWords();
  const settings = useKit();
  // The entered date is a day in UTC.
  const utc = { locale: settings.locale };
  const lots = useLots(subject);
  const textOf = useLotText(assetsOf(lots));
  const lot = lots?.find(({ id }) => id === values.id);
  if (lot === undefined) return null;
  const { expiresAt, worth } = lot;
  const amount = textOf(lot);
  return (
    <Stack gap={2}>
      <Text as="p">
        {expiresAt === null
          ? words.before({ amount })
          : words.beforeDay({ amount, day: dateText(expiresAt, settings) })}
      </Text>
      <Text as="p">
        {values.expires === null
          ? words.after
          : words.afterDay({ day: dateText(dayStart(values.expires), utc) })}
      </Text>
      {worth !== null && (
        <Text as="p">
          {words.worth({ amount: moneyText(worth.amount, worth.currency, settings.locale) })}
        </Text>
      )}
    </Stack>
  );
}

export const lotExpirySet = defineCommand({
  name: 'lotExpirySet',
  group: 'allowances',
  applies: hasLots,
  initial: ({ target }): Values => ({ id: target ?? '', expires: null }),
  Fields,
  Consequence,
  input: ({ id, expires }) =>
    id === '' ? null : { id, expiresAt: expires === null ? null : dayStart(expires) },
  document: CommandLotExpirySetDocument,
});
