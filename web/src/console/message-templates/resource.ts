// Message templates: the text of a mail or of a text to a phone, which replaces the built-in one while it is in use.
import schema from 'virtual:resource/message-template'
import type { ResourceDef } from '../crud/resourceDefinition'
import { tools } from './editors'

export const messageTemplate: ResourceDef = {
  schema,
  page: '/console/message-templates',
  openInList: true,
  columns: ['name', 'template', 'subject', 'enabled', 'updatedAt'],
  sections: [
    { title: '메시지', fields: ['name', 'template', 'talkTemplate', 'enabled'] },
    { title: '문구', fields: ['subject', 'content', tools] },
  ],
  defaultValues: { enabled: true, subject: '', content: '' },
  helpTexts: {
    talkTemplate:
      '문자에만 씁니다. 문자 서비스에 등록된 알림톡 템플릿의 ID를 넣으면 알림톡으로 보내고, 받지 못하는 분께는 아래 문구로 보냅니다.',
    enabled: '끄면 기본 문구로 보냅니다.',
    subject: "제목 앞에 '[장부상회]'가 붙습니다. 광고 메일에는 '(광고)'도 붙습니다.",
    content: '값이 없는 변수가 있는 줄은 빼고 보냅니다. 주소 변수는 줄의 끝에 넣으면 앞의 글이 링크가 됩니다.',
  },
  emptyText:
    '메일이나 문자의 문구를 바꾸려면 메시지를 골라 등록해 주세요. 등록하지 않은 메시지는 기본 문구로 보냅니다.',
}
