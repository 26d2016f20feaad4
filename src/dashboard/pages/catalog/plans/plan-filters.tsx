import { useData } from '../../../data/hooks.ts';
import { Row } from '../../../kit/layout.tsx';
import { Select } from '../../../kit/select.tsx';
import { useWords } from '../../../words/words.ts';
import { PlanMarketsDocument } from './page.graphql';
import { models, type PlanChoice } from './plan-choice.ts';

type PlanFiltersProps = { readonly choice: PlanChoice; readonly onChange: (choice: PlanChoice) => void };

export function PlanFilters({ choice, onChange }: PlanFiltersProps) {
  const { filters: words } = useWords('plans');
  const common = useWords('catalog');
  const markets = useData(PlanMarketsDocument, {}).data?.markets.nodes ?? [];
  const select = (
    name: keyof PlanChoice,
    label: string,
    options: readonly { readonly value: string; readonly label: string }[],
  ) => (
    <Select
      label={label}
      value={choice[name]}
      onChange={(value) => onChange({ ...choice, [name]: value })}
      options={[{ value: '', label: words.all }, ...options]}
    />
  );
  return (
    <Row>
      {select(
        'model',
        words.model,
        models.map((value) => ({ value, label: common.models[value] })),
      )}
      {select('sale', words.sale, [
        { value: 'yes', label: words.onSale },
        { value: 'no', label: words.offSale },
      ])}
      {select('visibility', words.visibility, [
        { value: 'public', label: words.public },
        { value: 'hidden', label: common.hidden },
      ])}
      {markets.length > 0 &&
        select(
          'market',
          words.market,
          markets.map(({ id, name }) => ({ value: id, label: name })),
        )}
    </Row>
  );
}
