// The refusal of the collection of e-mail addresses by programs.
import { useSetting } from '../../../features/settings/api'
import { ko } from '../../../i18n/ko'

export function Component() {
  const { company } = useSetting()
  return (
    <main id="content" className="mx-auto w-full max-w-3xl px-5 py-8 md:py-12">
      <h1 className="font-extrabold text-3xl">이메일 무단수집 거부</h1>
      <div className="prose-shop mt-6">
        <p>
          {company?.name || ko.shop.name}에 게시된 이메일 주소를 전자우편 수집 프로그램이나 그 밖의 기술적 장치로 무단
          수집하는 것을 거부합니다.
        </p>
        <h2>정보통신망 이용촉진 및 정보보호 등에 관한 법률</h2>
        <p>
          제50조의2에 따라 전자우편 주소를 무단으로 수집하거나, 그렇게 수집한 주소를 판매·유통하거나, 그런 사실을 알면서
          정보 전송에 이용해서는 안 됩니다. 이를 위반하면 처벌받을 수 있습니다.
        </p>
      </div>
    </main>
  )
}
