import { Text } from '../kit/text.tsx';
import { defineCommand, type FieldsProps } from './command.ts';
import { CommandLotRevokeDocument } from './commands.graphql';
import { useCommandWords } from './fields.tsx';
import { assetsOf, canRevoke, hasLots, LotField, useLots, useLotText } from './lots.tsx';

type Values = { readonly id: string };

const Fields = ({ values, change, subject }: FieldsProps<Values>) => (
  <LotField subject={subject} value={values.id} isOffered={canRevoke} onChange={(id) => change({ id })} />
);

function Consequence({ values, subject }: FieldsProps<Values>) {
  const { lotRevoke: words } = useCommandWords();
  const lots = useLots(subject);
  const textOf = useLotText(assetsOf(lots));
  const lot = lots?.find(({ id }) => id === values.id);
  return lot === undefined ? null : <Text as="p">{words.result({ amount: textOf(lot) })}</Text>;
}

export const lotRevoke = defineCommand({
  name: 'lotRevoke',
  group: 'allowances',
  isDangerous: true,
  applies: hasLots,
  initial: ({ target }): Values => ({ id: target ?? '' }),
  Fields,
  Consequence,
  input: ({ id }) => (id === '' ? null : { id }),
  document: CommandLotRevokeDocument,
});
