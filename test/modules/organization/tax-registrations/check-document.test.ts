import { expect, it } from 'vitest';
import { documentHolderOf } from '../../../../src/domain/tax/document-type.ts';
import { checkDocument } from '../../../../src/modules/organization/tax-registrations/check-document.ts';

it.each([
  ['FR', 'FR40303265045', 'VAT', true],
  ['FR', '40 303 265 045', 'VAT', true],
  ['FR', 'FR40303265046', 'VAT', false],
  ['DE', 'FR40303265045', 'VAT', false],
  ['AR', '30-50001091-2', 'CUIT', true],
  ['AR', '30-50001091-3', 'TAX_ID', false],
  ['BR', '529.982.247-25', 'CPF', true],
  ['BR', '52998224725', 'CPF', true],
  ['BR', '52998224724', 'TAX_ID', false],
  ['BR', '11111111111', 'TAX_ID', false],
  ['BR', '12ABC34501DE35', 'CNPJ', true],
  ['BR', '12abc345/01de-35', 'CNPJ', true],
  ['BR', '12ABC34501DE36', 'TAX_ID', false],
  ['AR', '12.345.678', 'DNI', true],
  ['PE', '12345678', 'DNI', true],
  ['UY', '1.234.567-2', 'CI', true],
  ['MX', 'GODE561231HVZRRL09', 'CURP', true],
  ['BR', '11.222.333/0001-81', 'CNPJ', true],
  ['BR', '11.222.333/0001-82', 'TAX_ID', false],
  ['PE', '20100070970', 'RUC', true],
  ['PE', '20100070971', 'TAX_ID', false],
  ['UY', '211234560019', 'RUT', true],
  ['UY', '211234560018', 'TAX_ID', false],
  ['UY', '1.234.567-3', 'TAX_ID', false],
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

it.each([
  ['BR', '52998224725', 'person'],
  ['BR', '11222333000181', 'company'],
  ['AR', '20-12345678-6', 'person'],
  ['AR', '30-12345678-1', 'company'],
  ['PE', '20100070970', 'company'],
  ['PE', '10123456781', 'person'],
  ['UY', '211234560019', 'either'],
  ['MX', 'GODE561231HVZRRL09', 'person'],
  ['MX', 'GODE561231GR8', 'either'],
  ['BR', '52998224724', 'either'],
] as const)('the holder of the tax ID %s %s is %s (INS-155)', (country, value, holder) => {
  expect(documentHolderOf(value, country)).toBe(holder);
});
