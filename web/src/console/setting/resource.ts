// The site setting: the shop's name, deadlines of orders, and the operating company.
import schema from 'virtual:resource/site-setting'
import type { ResourceDef } from '../crud/resourceDefinition'

export const setting: ResourceDef = {
  schema,
  page: '/console/site/setting',
  columns: ['name'],
  shownBy: ['/api/v1/setting'],
  sections: [
    {
      title: '쇼핑몰',
      fields: ['name', 'unpaidDeadlineMinutes', 'autoDeliverDays', 'autoConfirmDays', 'rechargesFares'],
    },
    { title: '통화', fields: ['currency.code', 'currency.exponent', 'currency.step'] },
    {
      title: '적립금',
      fields: [
        'points.lifeDays',
        'points.least',
        'points.unit',
        'points.share',
        'points.leastOrder',
        'reviewPoints.text',
        'reviewPoints.photo',
      ],
    },
    {
      title: '사업자 정보',
      fields: [
        'company.name',
        'company.ceoName',
        'company.registration',
        'company.licenseCode',
        'company.tel',
        'company.email',
        'company.address',
        'company.bankAccount',
      ],
    },
  ],
}
