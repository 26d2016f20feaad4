import SchemaBuilder, {
  BasePlugin,
  type PothosInputFieldConfig,
  type PothosOutputFieldConfig,
  type SchemaTypes,
} from '@pothos/core';
import { DirectiveLocation, GraphQLDirective, GraphQLEnumType, GraphQLNonNull } from 'graphql';
import { directiveOn, withDirective } from './directives.ts';

/** Unit of an amount (GLO-6). `MINOR` is the smallest currency unit; `RATE` is 1/10,000 of the main unit. */
export type Scale = 'MINOR' | 'RATE';

export const isScale = (value: unknown): value is Scale => value === 'MINOR' || value === 'RATE';

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      amount: AmountPlugin<Types>;
    }
    interface FieldOptions {
      amount?: Scale;
    }
    interface InputFieldOptions {
      amount?: Scale;
    }
  }
}

/** Returns the scale of a field or input value. Undefined if the value isn't an amount. */
export const scaleOf = (definition: { readonly extensions?: unknown }): Scale | undefined =>
  directiveOn(definition, 'amount')?.['scale'] as Scale | undefined;

/** Pothos plugin that adds the directive `@amount(scale:)` to amounts (GLO-14). */
class AmountPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { amount } = field.pothosOptions as { amount?: Scale };
    return amount === undefined ? field : withDirective(field, 'amount', { scale: amount });
  }

  override onInputFieldConfig(field: PothosInputFieldConfig<Types>): PothosInputFieldConfig<Types> {
    const { amount } = field.pothosOptions as { amount?: Scale };
    return amount === undefined ? field : withDirective(field, 'amount', { scale: amount });
  }
}

SchemaBuilder.registerPlugin('amount', AmountPlugin);

export const AmountScale = new GraphQLEnumType({
  name: 'AmountScale',
  description: 'Unit in which an integer amount of money is expressed.',
  values: {
    MINOR: {
      description:
        'Smallest currency unit, such as the cent. For currencies without a smaller unit, the currency unit itself.',
    },
    RATE: {
      description: 'Ten-thousandth of the currency unit (10,000 = 1.00), used for unit prices and balances.',
    },
  },
});

export const amountDirective = new GraphQLDirective({
  name: 'amount',
  description: 'Marks an integer that is an amount of money.',
  locations: [
    DirectiveLocation.FIELD_DEFINITION,
    DirectiveLocation.INPUT_FIELD_DEFINITION,
    DirectiveLocation.ARGUMENT_DEFINITION,
  ],
  args: { scale: { type: new GraphQLNonNull(AmountScale), description: 'Unit of the integer amount.' } },
});
