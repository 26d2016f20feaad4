import { expect, it } from 'vitest';
import { checkDocument } from '../../../../src/modules/organization/tax-registrations/check-document.ts';

it.each([
  ['FR', 'FR40303265045', 'VAT', true],
  ['FR', '40 303 265 045', 'VAT', true],
  ['FR', 'FR40303265046', 'VAT', false],
  ['DE', 'FR40303265045', 'VAT', false],
  ['AR', '30-50001091-2', 'CUIT', true],
  ['AR', '30-50001091-3', 'CUIT', false],
  ['BR', '529.982.247-25', 'CPF', true],
  ['BR', '52998224725', 'CPF', true],
  ['BR', '52998224726', 'CPF', false],
  ['BR', '11111111111', 'CPF', false],
  ['AR', '12.345.678', 'DNI', true],
  ['PE', '12345678', 'DNI', true],
  ['UY', '1.234.567-2', 'CI', true],
  ['MX', 'GODE561231HVZRRL09', 'CURP', true],
  ['BR', '11.222.333/0001-81', 'CNPJ', true],
  ['BR', '11.222.333/0001-82', 'CNPJ', false],
  ['CL', '60.803.000-K', 'RUT', true],
  ['CL', '60.803.000-1', 'RUT', false],
  ['AU', '51 824 753 556', 'TAX_ID', true],
  ['AU', '51 824 753 557', 'TAX_ID', false],
  ['US', '12-3456789', 'EIN', true],
  ['US', '12-345678', 'EIN', false],
  ['ZA', '4123456789', 'TAX_ID', null],
] as const)(
  'the tax ID check for %s identifies %s as %s, with plausibility %j',
  (country, value, kind, isPlausible) => {
    expect(checkDocument(country, value)).toEqual({ kind, isPlausible });
  },
);
