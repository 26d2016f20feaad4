import type { packs as english } from '../en/packs.ts';
import type { Translation } from '../words.ts';

export const packs: Translation<typeof english> = {
  text: 'Créditos que los suscriptores de planes de créditos pueden comprar en cualquier momento.',
  empty: 'Todavía no hay paquetes de créditos',
  new: 'Nuevo paquete',
  create: 'Crear paquete',
  state: 'Estado',
  onSale: 'A la venta',
  offSale: 'Retirado',
  onSaleHelp: 'Si se desactiva, el paquete desaparece de la lista que ven los clientes.',
  credits: 'Créditos',
  price: 'Precio',
  priceHelp: 'En otras monedas sigue el tipo de cambio del plan del suscriptor.',
  each: 'Por crédito',
  changeText: 'Un precio nuevo vale para compras posteriores. Los créditos comprados se quedan como están.',
  deleteTitle: (name: string) => `¿Eliminar ${name}?`,
  deleteText: 'Ya nadie podrá comprarlo. Los créditos comprados se conservan. No se puede deshacer.',
};
