import type { addons as english } from '../en/addons.ts';
import { plural } from '../language.ts';
import type { Translation } from '../words.ts';

export const addons: Translation<typeof english> = {
  text: 'Lo que los suscriptores pueden añadir a su plan: cada complemento vende una funcionalidad.',
  empty: 'Todavía no hay complementos',
  new: 'Nuevo complemento',
  create: 'Crear complemento',
  feature: 'Funcionalidad',
  featureHelp: 'Una funcionalidad tiene un complemento como máximo. No cambia nunca.',
  sells: (feature: string, model: string) => `Vende ${feature}. ${model}.`,
  model: 'Cómo se cobra el uso',
  models: { boolean: 'No se cobra', metered: 'Por consumo', credits: 'Por créditos', balance: 'Del saldo' },
  modelTexts: {
    boolean: 'El complemento cuesta su precio y nada más. Sirve para cualquier plan.',
    metered: 'Unidades incluidas propias y después un precio por unidad. Para planes por consumo.',
    credits: 'Las unidades toman créditos del plan. Para planes de créditos.',
    balance: 'Las unidades toman dinero del saldo del plan. Para planes de saldo.',
  },
  price: 'Precio por periodo',
  priceHelp: 'Por un periodo de facturación del plan, dure lo que dure.',
  included: 'Unidades incluidas',
  rate: 'Precio de cada unidad adicional',
  credits: 'Créditos que toma cada unidad',
  creditCount: (count: number) => `${count} ${plural(count, 'crédito', 'créditos')}`,
  unit: 'unidad',
  per: (unit: string) => `por ${unit}`,
  changeText:
    'Los suscriptores actuales pagan un precio nuevo al renovarse. Más unidades y precios por unidad más bajos les llegan de inmediato; lo demás, con el próximo periodo.',
  deleteTitle: (name: string) => `¿Eliminar ${name}?`,
  deleteText:
    'Ya nadie podrá añadirlo. Solo se puede eliminar si ninguna suscripción lo tiene. No se puede deshacer.',
};
