import { Select } from '../../kit/select.tsx';

type ChoiceProps = {
  readonly label: string;
  readonly names: readonly string[];
  readonly chosen: string | null;
  readonly onChoose: (name: string) => void;
};

/** Selects the operation of a document to run. */
export default function OperationChoice({ label, names, chosen, onChoose }: ChoiceProps) {
  return (
    <Select
      label={label}
      isLabelHidden
      options={names.map((name) => ({ value: name, label: name }))}
      value={names.includes(chosen ?? '') ? chosen : (names[0] ?? null)}
      onChange={onChoose}
    />
  );
}
