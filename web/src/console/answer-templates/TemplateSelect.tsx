// Fills the answer of a form with the text of a template. What is already written stays, the template comes after it.
import type { ComponentType } from 'react'
import { paged } from '../../api/client'
import { useApiQuery } from '../../api/query'
import { Field } from '../../ui/Field'
import { Select } from '../../ui/Input'
import type { CustomField, EditProps } from '../crud/resourceDefinition'

type Target = 'QUESTION' | 'CONTACT' | 'INQUIRE' | 'INQUIRY'

const LIST = { query: { sort: '-index' }, headers: paged(1, 100) }

function select(target: Target): ComponentType<EditProps> {
  return function TemplateSelect({ draft, setValue, readOnly }) {
    const { data } = useApiQuery('/api/console/center/answerTemplates', LIST)
    const fitting = (data?.answerTemplates ?? []).filter((one) => one.target === 'ALL' || one.target === target)
    if (readOnly || fitting.length === 0) return null
    const fill = (id: string) => {
      const chosen = fitting.find((one) => one._id === id)
      if (!chosen) return
      const written = typeof draft.reply === 'string' ? draft.reply.trimEnd() : ''
      setValue('reply', written === '' ? chosen.content : `${written}\n\n${chosen.content}`)
    }
    return (
      <Field label="답변 템플릿">
        <Select
          value=""
          options={[
            { value: '', label: '골라서 답변에 넣기' },
            ...fitting.map((one) => ({ value: one._id, label: one.name })),
          ]}
          onChange={(event) => fill(event.target.value)}
        />
      </Field>
    )
  }
}

/** Chooses a template for the `reply` of the same form. */
export const templateSelect = (target: Target): CustomField => ({ paths: [], component: select(target) })
