import { RadioGroup } from '../../../kit/choice.tsx';
import { Stack } from '../../../kit/layout.tsx';
import { TextArea, TextField } from '../../../kit/text-field.tsx';
import type { FeatureKind } from '../../../parts/catalog/model/plan-draft.ts';
import { useWords } from '../../../words/words.ts';
import { CodeField, renamed } from './catalog-sheet.tsx';

export type NewFeature = {
  readonly name: string;
  readonly code: string;
  readonly type: FeatureKind;
  readonly unitName: string;
  readonly description: string;
};

export const noFeature: NewFeature = { name: '', code: '', type: 'usage', unitName: '', description: '' };

const kinds: readonly FeatureKind[] = ['usage', 'boolean', 'seats', 'quota'];

type FeatureFieldsProps = {
  readonly value: NewFeature;
  readonly onChange: (value: NewFeature) => void;
  /** True if the feature already exists, so that its code and type can't be changed. */
  readonly isStored?: boolean;
};

export function FeatureFields({ value, onChange, isStored = false }: FeatureFieldsProps) {
  const common = useWords('catalog');
  const words = useWords('features');
  const rename = (name: string) => onChange({ ...value, ...(isStored ? { name } : renamed(value, name)) });
  return (
    <Stack gap={4}>
      <TextField
        label={common.name}
        name="name"
        value={value.name}
        onChange={rename}
        maxLength={200}
        autoFocus
      />
      {!isStored && <CodeField value={value.code} onChange={(code) => onChange({ ...value, code })} />}
      {!isStored && (
        <RadioGroup
          label={words.type}
          look="cards"
          value={value.type}
          onChange={(type) => onChange({ ...value, type: type as FeatureKind })}
          options={kinds.map((kind) => ({
            value: kind,
            label: common.types[kind],
            help: common.typeTexts[kind],
          }))}
        />
      )}
      {value.type !== 'boolean' && (
        <TextField
          label={words.unitName}
          name="unitName"
          help={words.unitHelp}
          isOptional
          value={value.unitName}
          onChange={(unitName) => onChange({ ...value, unitName })}
          maxLength={100}
        />
      )}
      <TextArea
        label={common.description}
        name="description"
        isOptional
        value={value.description}
        onChange={(description) => onChange({ ...value, description })}
        maxLength={2_000}
        rows={2}
      />
    </Stack>
  );
}
