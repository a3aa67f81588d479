// Upload of products from a file: an empty form, a preview with all errors, and the uploads with their progress.

import schema from 'virtual:resource/product'
import { useQueryClient } from '@tanstack/react-query'
import { FileSpreadsheet } from 'lucide-react'
import { useState } from 'react'
import { download } from '../../api/download'
import { toApiError } from '../../api/errors'
import { saveFile } from '../../lib/files'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Link } from '../../ui/Link'
import { toast } from '../../ui/toast'
import { useSchema } from '../crud/useSchema'
import { FORM, invalidateUploads } from './api'
import { UploadFile } from './UploadFile'
import { Uploads } from './Uploads'
import { uploadWords as t } from './words'

export function Component() {
  const kind = useSchema(schema)
  const client = useQueryClient()
  return (
    <main id="content" className="grid gap-5">
      <header>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h1 className="font-bold text-2xl">{t.title}</h1>
          <Link to="/console/shop/products" className="text-ink-2 text-sm underline">
            {t.products}
          </Link>
        </div>
        <p className="mt-1 text-ink-2">{t.text}</p>
      </header>
      <Card title={t.formTitle}>
        <p className="text-ink-2">{t.formText}</p>
        <FormButton kind={kind.name} />
      </Card>
      <UploadFile kind={kind} onStarted={() => void invalidateUploads(client)} />
      <Uploads kind={kind} />
    </main>
  )
}

function FormButton({ kind }: { kind: string }) {
  const [busy, setBusy] = useState(false)
  const take = async () => {
    setBusy(true)
    try {
      const { blob, name } = await download(FORM, { path: { kind } })
      saveFile(blob, name)
    } catch (thrown) {
      void toast(toApiError(thrown).message, { tone: 'error' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button variant="outline" className="mt-4" busy={busy} onClick={() => void take()}>
      <FileSpreadsheet aria-hidden />
      {t.formButton}
    </Button>
  )
}
